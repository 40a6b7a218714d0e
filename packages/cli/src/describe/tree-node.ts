import type { KubeObject } from "@rookery/kube";

/** A condition of either contract; the older one tells how severe it is. */
export interface TreeCondition {
  readonly type: string;
  readonly status: string;
  readonly severity?: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

/** Objects as far as a tree has to do with them. */
export interface TreeObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/**
 * What is known of an object's shape: a kind of Cluster API's core; an object of a provider, of which
 * only the contract is known; or something that has no object of its own.
 */
export type Shape = "core" | "control plane" | "provider" | "reference" | "virtual";

/** Which conditions of an object get lines of their own. */
export type ConditionFilter = "none" | "all" | "notable";

/** Siblings that are told of in one line. */
export interface NodeGroup {
  readonly names: readonly string[];
  readonly available: number;
  readonly ready: number;
  readonly upToDate: number;
  readonly conditions: readonly TreeCondition[];
}

export interface TreeNode {
  /** Two nodes with the same id are one. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly shape: Shape;
  /** Absent where the node has no object, or only names one. */
  readonly object?: TreeObject;
  /** What it is for its parent: "ControlPlane". */
  readonly role?: string;
  /** Of siblings, the one with the higher order comes first. */
  readonly order: number;
  readonly shown: ConditionFilter;
  /** Whether children that are alike are told of in one line. */
  readonly isGrouping: boolean;
  readonly group?: NodeGroup;
  /** The contract that a control plane keeps to. */
  readonly contract?: string;
}

type Given = Pick<TreeNode, "kind" | "name" | "shape"> & Partial<TreeNode>;

export function treeNode(given: Given): TreeNode {
  const { object, kind, name } = given;
  const id = object?.metadata.uid ?? `${kind}/${name}`;
  return { id, order: 0, shown: "none", isGrouping: false, ...given };
}

/** The node of an object that was read. */
export function objectNode(
  object: TreeObject,
  shape: Shape,
  more: Partial<TreeNode> = {},
): TreeNode {
  return treeNode({ kind: object.kind, name: object.metadata.name ?? "", shape, object, ...more });
}
