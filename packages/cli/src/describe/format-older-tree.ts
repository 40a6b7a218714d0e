import type { Paint } from "../output/colours.ts";
import { formatFitted, formatTable, widestLine } from "../output/table.ts";
import { conditionPrefix, membersOf } from "./format-tree.ts";
import type { ObjectTree } from "./object-tree.ts";
import { childPrefix } from "./prefixes.ts";
import { rowName } from "./row-name.ts";
import { type Shower, sinceText } from "./shown-condition.ts";
import { conditionOf, conditionsOf } from "./tree-conditions.ts";
import type { TreeCondition, TreeNode } from "./tree-node.ts";

type Row = readonly string[];

const header = ["NAME", "READY", "SEVERITY", "REASON", "SINCE", "MESSAGE"];
const messageWidth = 100;

/** A tree as a table, by the conditions of the contract v1beta1. */
export function formatOlderTree(tree: ObjectTree, shower: Shower): string {
  const rows = rowsOf(tree, tree.root, "", shower).flatMap(inLines);
  const table = formatTable(header, rows, { header: 1, row: 1 });
  const { width } = shower;
  const isFitting = width === undefined || widestLine(table) <= width;
  return isFitting ? table : formatFitted(header, rows, width);
}

function rowsOf(tree: ObjectTree, node: TreeNode, prefix: string, shower: Shower): readonly Row[] {
  const { paint } = shower;
  const ready = conditionOf(node, "Ready", "v1beta1");
  const [status = "", severity = "", reason = "", since = "", message = ""] = ready
    ? cellsOf(ready, shower)
    : [];
  const said = node.group ? membersOf(node, shower) : message;
  const name = `${paint("gray", prefix)}${rowName(node, paint)}`;
  const children = tree.childrenOf(node);
  return [
    [name, status, severity, reason, since, said],
    ...(node.shown === "none" ? [] : conditionRows(tree, node, prefix, shower)),
    ...children.flatMap((child, index) =>
      rowsOf(tree, child, childPrefix(prefix, index, children.length), shower),
    ),
  ];
}

/** All conditions but Ready, which is in the object's line. */
function conditionRows(
  tree: ObjectTree,
  node: TreeNode,
  prefix: string,
  shower: Shower,
): readonly Row[] {
  const { paint } = shower;
  const others = conditionsOf(node, "v1beta1")
    .filter(({ type }) => type !== "Ready")
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const below = conditionPrefix(tree, node, prefix);
  return others.map((condition, index) => {
    const own = paint("gray", childPrefix(below, index, others.length));
    return [`${own}${paint("cyan", condition.type)}`, ...cellsOf(condition, shower)];
  });
}

function cellsOf(condition: TreeCondition, { paint, now }: Shower): Row {
  const { status, severity = "", reason, message } = condition;
  const colour = colourOf(condition);
  const cut = message.length > messageWidth ? `${message.slice(0, messageWidth)} ...` : message;
  const painted = [status, severity, reason].map((text) => paint(colour, text));
  return [...painted, sinceText(condition, now), cut];
}

function colourOf({ status, severity }: TreeCondition): Parameters<Paint>[0] {
  if (status === "True") return "green";
  if (severity === "Error") return "red";
  return severity === "Warning" ? "yellow" : "white";
}

function inLines(row: Row): readonly Row[] {
  const [first = "", ...further] = (row.at(-1) ?? "").split("\n");
  const empty = row.slice(0, -1).map(() => "");
  return [[...row.slice(0, -1), first], ...further.map((line) => [...empty, line])];
}
