import { formatTable } from "../output/table.ts";
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
  ...["STATUS", "REASON", "SINCE", "MESSAGE"],
];
/** How far conditions are from the line of their object. */
const conditionIndent = " ".repeat(10);
/** How many members of a group are named. */
const namedMembers = 2;

/** A tree as a table, each object with its counters and the condition that speaks for it. */
export function formatTree(tree: ObjectTree, shower: Shower): string {
  return formatTable(header, rowsOf(tree, tree.root, "", shower), { header: 1, row: 2 });
}

function rowsOf(tree: ObjectTree, node: TreeNode, prefix: string, shower: Shower): readonly Row[] {
  const children = tree.childrenOf(node);
  return [
    ...objectRows(tree, node, prefix, shower),
    ...(node.shown === "none" ? [] : conditionRows(tree, node, prefix, shower)),
    ...children.flatMap((child, index) =>
      rowsOf(tree, child, childPrefix(prefix, index, children.length), shower),
    ),
  ];
}

function objectRows(
  tree: ObjectTree,
  node: TreeNode,
  prefix: string,
  shower: Shower,
): readonly Row[] {
  const { paint } = shower;
  const { replicas = "", available = "", ready = "", upToDate = "" } = countersOf(node);
  // The conditions that follow say it all.
  const shown = node.shown === "none" ? leadingCondition(node, shower) : undefined;
  const { status = "", reason = "", since = "", message = [] } = shown ?? {};
  const [first = "", ...further] =
    node.group && node.shown === "none" ? [membersOf(node, shower)] : message;
  const name = `${paint("gray", prefix)}${rowName(node, paint)}`;
  const counters = [replicas, `${available}`, `${ready}`, `${upToDate}`];
  const continuation = paint("gray", objectContinuation(tree, node));
  return [
    [name, ...counters, status, reason, since, first],
    ...further.map((line) => messageRow(continuation, line)),
  ];
}

export function membersOf({ group }: TreeNode, { paint }: Pick<Shower, "paint">): string {
  const names = group?.names ?? [];
  const named = names.slice(0, namedMembers).join(", ");
  return paint("gray", `See ${named}${names.length > namedMembers ? ", ..." : ""}`);
}

function conditionRows(
  tree: ObjectTree,
  node: TreeNode,
  prefix: string,
  shower: Shower,
): readonly Row[] {
  const { paint } = shower;
  const all = conditionsOf(node, "v1beta2");
  const shown = node.shown === "all" ? all : all.filter(isNotable);
  const below = conditionPrefix(tree, node, prefix);
  return shown.flatMap((condition, index) => {
    const own = childPrefix(below, index, shown.length);
    const { status, reason, since, message } = showCondition(
      condition,
      shower,
      isPositive(condition),
    );
    const [first = "", ...further] = message;
    const name = `${paint("gray", own)}${paint("cyan", condition.type)}`;
    const continuation = paint("gray", conditionContinuation(own));
    return [
      [name, "", "", "", "", status, reason, since, first],
      ...further.map((line) => messageRow(continuation, line)),
    ];
  });
}

/** Ahead of conditions, which are between an object and its children. */
export function conditionPrefix(tree: ObjectTree, node: TreeNode, prefix: string): string {
  const hasChildren = tree.childrenOf(node).length > 0;
  return prefix + (hasChildren ? pipe : blank) + conditionIndent;
}

function messageRow(prefix: string, line: string): Row {
  return [prefix, "", "", "", "", "", "", "", line];
}
