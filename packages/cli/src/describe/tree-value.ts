import { type Counters, countersOf } from "./node-row.ts";
import type { ObjectTree } from "./object-tree.ts";
import { conditionsOf } from "./tree-conditions.ts";
import type { TreeCondition, TreeNode } from "./tree-node.ts";

/** A node and what is below it, for programs. */
export interface TreeValue extends Counters {
  readonly kind: string;
  readonly name: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly role?: string;
  readonly deletionTimestamp?: string;
  /** Of a node that stands for several. */
  readonly members?: readonly string[];
  readonly conditions: readonly TreeCondition[];
  readonly children: readonly TreeValue[];
}

export function treeValue(tree: ObjectTree, node: TreeNode = tree.root): TreeValue {
  const { kind, name, role, object, group } = node;
  const { namespace, deletionTimestamp } = object?.metadata ?? {};
  return {
    kind,
    name: group ? `${group.names.length} ${kind}` : name,
    ...(object && { apiVersion: object.apiVersion }),
    ...(namespace && { namespace }),
    ...(role && { role }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(group && { members: group.names }),
    ...countersOf(node),
    conditions: conditionsOf(node, tree.options.style),
    children: tree.childrenOf(node).map((child) => treeValue(tree, child)),
  };
}
