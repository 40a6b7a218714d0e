import { formatTable, formatText, visibleLength, widestLine } from "../output/table.ts";
import { countersOf, leadingCondition } from "./node-row.ts";
import type { ObjectTree } from "./object-tree.ts";
import { blank, childPrefix, conditionContinuation, objectContinuation, pipe } from "./prefixes.ts";
import { rowName } from "./row-name.ts";
import { isNotable, isPositive, type Shower, showCondition } from "./shown-condition.ts";
import { conditionsOf } from "./tree-conditions.ts";
import type { TreeNode } from "./tree-node.ts";

type Row = readonly string[];

const header = [
  ...["NAME", "REPLICAS", "AVAILABLE", "READY", "UP TO DATE"],
  ...["STATUS", "REASON", "SINCE"],
];
/** The indentation of conditions. */
const conditionIndent = " ".repeat(10);
/** The number of members of a group that are named. */
const namedMembers = 2;

/** One line of a tree; the message may have several lines. */
interface Line {
  readonly cells: Row;
  readonly message: Row;
  /** The prefix of further lines of the message. */
  readonly continuation: string;
}

const gaps = { header: 1, row: 2 };
/** The minimum width of the column of messages. */
const leastMessage = 30;
/** The indentation of messages below their lines. */
const messageIndent = "    ";
/** The columns for less and less width: all, without counters, without times. */
const narrowings = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [0, 5, 6, 7],
  [0, 5, 6],
  [0, 5],
] as const;
const reasonColumn = 6;
const messageName = "MESSAGE";
const unbroken = 1_000_000;

/**
 * A tree as a table, each object with its counters and leading condition. At a narrow terminal, counters
 * and times are left out, then messages are below their lines.
 */
export function formatTree(tree: ObjectTree, shower: Shower): string {
  const linesAt = (messageWidth?: number) =>
    linesOf(tree, tree.root, "", { ...shower, ...(messageWidth && { messageWidth }) });
  const lines = linesAt();
  const whole = formatLines(lines, narrowings[0]);
  const { width } = shower;
  if (width === undefined || widestLine(whole) <= width) return whole;
  const short = lines.map((line) => ({ ...line, message: ["x"] }));
  const bare = lines.map((line) => ({ ...line, message: [] }));
  for (const columns of narrowings.slice(0, 2)) {
    const room = width - widestLine(formatLines(short, columns)) + messageName.length;
    if (room >= leastMessage) return formatLines(linesAt(room), columns);
  }
  const fitting = narrowings.find((columns) => widestLine(formatLines(bare, columns)) <= width);
  return formatStacked(linesAt(unbroken), fitting ?? narrowings[3], width);
}

function formatLines(lines: readonly Line[], columns: readonly number[]): string {
  const rows = lines.flatMap(({ cells, message: [first = "", ...further], continuation }) => [
    [...columns.map((column) => cells[column] ?? ""), first],
    ...further.map((line) => [continuation, ...columns.slice(1).map(() => ""), line]),
  ]);
  const names = columns.map((column) => header[column] ?? "");
  return formatTable([...names, messageName], rows, gaps);
}

/** With messages below their lines. */
function formatStacked(lines: readonly Line[], columns: readonly number[], width: number): string {
  const names = columns.map((column) => header[column] ?? "");
  const rows = lines.map(({ cells }) => columns.map((column) => cells[column] ?? ""));
  const [head, ...printed] = formatTable(names, rows, gaps).split("\n");
  const shown = lines.map(({ cells, message, continuation }, index) => {
    const reason = columns.includes(reasonColumn) ? "" : (cells[reasonColumn] ?? "");
    const said = [reason, message.join("\n")].filter((part) => part !== "").join(": ");
    const room = width - visibleLength(continuation) - messageIndent.length;
    const below = said === "" ? [] : formatText(said, room);
    const indented = below.map((line) => `${continuation}${messageIndent}${line}`);
    return [printed[index], ...indented].map((line) => `${line}\n`).join("");
  });
  return `${head}\n${shown.join("")}`;
}

function linesOf(tree: ObjectTree, node: TreeNode, prefix: string, shower: Shower): Line[] {
  const children = tree.childrenOf(node);
  return [
    objectLine(tree, node, prefix, shower),
    ...(node.shown === "none" ? [] : conditionLines(tree, node, prefix, shower)),
    ...children.flatMap((child, index) =>
      linesOf(tree, child, childPrefix(prefix, index, children.length), shower),
    ),
  ];
}

function objectLine(tree: ObjectTree, node: TreeNode, prefix: string, shower: Shower): Line {
  const { paint } = shower;
  const { replicas = "", available = "", ready = "", upToDate = "" } = countersOf(node);
  const shown = node.shown === "none" ? leadingCondition(node, shower) : undefined;
  const { status = "", reason = "", since = "", message = [] } = shown ?? {};
  const name = `${paint("gray", prefix)}${rowName(node, paint)}`;
  const counters = [replicas, `${available}`, `${ready}`, `${upToDate}`];
  return {
    cells: [name, ...counters, status, reason, since],
    message: node.group && node.shown === "none" ? [membersOf(node, shower)] : message,
    continuation: paint("gray", objectContinuation(tree, node)),
  };
}

export function membersOf({ group }: TreeNode, { paint }: Pick<Shower, "paint">): string {
  const names = group?.names ?? [];
  const named = names.slice(0, namedMembers).join(", ");
  return paint("gray", `See ${named}${names.length > namedMembers ? ", ..." : ""}`);
}

function conditionLines(
  tree: ObjectTree,
  node: TreeNode,
  prefix: string,
  shower: Shower,
): readonly Line[] {
  const { paint } = shower;
  const all = conditionsOf(node, "v1beta2");
  const shown = node.shown === "all" ? all : all.filter(isNotable);
  const below = conditionPrefix(tree, node, prefix);
  return shown.map((condition, index) => {
    const own = childPrefix(below, index, shown.length);
    const { status, reason, since, message } = showCondition(
      condition,
      shower,
      isPositive(condition),
    );
    const name = `${paint("gray", own)}${paint("cyan", condition.type)}`;
    return {
      cells: [name, "", "", "", "", status, reason, since],
      message,
      continuation: paint("gray", conditionContinuation(own)),
    };
  });
}

/** The prefix of conditions, which are between an object and its children. */
export function conditionPrefix(tree: ObjectTree, node: TreeNode, prefix: string): string {
  const hasChildren = tree.childrenOf(node).length > 0;
  return prefix + (hasChildren ? pipe : blank) + conditionIndent;
}
