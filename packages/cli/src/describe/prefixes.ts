import type { ObjectTree } from "./object-tree.ts";
import type { TreeNode } from "./tree-node.ts";

const middle = "├─";
const last = "└─";
export const pipe = "│ ";
export const blank = "  ";

/** The prefix of a child, below a line with this prefix. */
export function childPrefix(prefix: string, index: number, count: number): string {
  const carried = prefix.replaceAll(middle, pipe).replaceAll(last, blank);
  return carried + (index < count - 1 ? middle : last);
}

/** The prefix of further lines of a condition's message. */
export function conditionContinuation(prefix: string): string {
  const start = prefix.slice(0, -middle.length);
  return prefix.endsWith(middle) ? start + pipe : start;
}

/** The prefix of further lines of an object's message: the branches beside it. */
export function objectContinuation(tree: ObjectTree, node: TreeNode): string {
  if (isLast(tree, node)) return "";
  let prefix = tree.childrenOf(node).length > 0 ? pipe : "";
  let current = node;
  for (let parent = tree.parentOf(node); parent; parent = tree.parentOf(parent)) {
    const isLastChild = tree.childrenOf(parent).at(-1)?.id === current.id;
    prefix = (isLastChild ? blank : pipe) + prefix;
    current = parent;
  }
  return prefix;
}

/** Whether it is the last line of the tree. */
function isLast(tree: ObjectTree, node: TreeNode): boolean {
  let current = tree.root;
  for (let child = tree.childrenOf(current).at(-1); child; child = tree.childrenOf(child).at(-1)) {
    current = child;
  }
  return current.id === node.id;
}
