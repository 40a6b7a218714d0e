import type { KubeObject } from "@rookery/kube";

/** A condition of either contract; only v1beta1 has a severity. */
export interface TreeCondition {
  readonly type: string;
  readonly status: string;
  readonly severity?: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

export interface TreeObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The fields of a node's object: those of a core kind, those of a provider's contract, or none. */
export type Shape = "core" | "control plane" | "provider" | "reference" | "virtual";

/** The conditions of an object that get lines of their own. */
export type ConditionFilter = "none" | "all" | "notable";

/** Siblings in one line. */
export interface NodeGroup {
  readonly names: readonly string[];
  readonly available: number;
  readonly ready: number;
  readonly upToDate: number;
  readonly conditions: readonly TreeCondition[];
}

export interface TreeNode {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly shape: Shape;
  /** Absent for virtual nodes and references. */
  readonly object?: TreeObject;
  /** Its role for its parent: "ControlPlane". */
  readonly role?: string;
  /** Siblings with a higher order come first. */
  readonly order: number;
  readonly shown: ConditionFilter;
  /** Whether children with equal conditions are grouped. */
  readonly isGrouping: boolean;
  readonly group?: NodeGroup;
  /** The contract of a control plane. */
  readonly contract?: string;
}

type Given = Pick<TreeNode, "kind" | "name" | "shape"> & Partial<TreeNode>;

export function treeNode(given: Given): TreeNode {
  const { object, kind, name } = given;
  const id = object?.metadata.uid ?? `${kind}/${name}`;
  return { id, order: 0, shown: "none", isGrouping: false, ...given };
}

export function objectNode(
  object: TreeObject,
  shape: Shape,
  more: Partial<TreeNode> = {},
): TreeNode {
  return treeNode({ kind: object.kind, name: object.metadata.name ?? "", shape, object, ...more });
}
