import {
  addonsGroup,
  blockMoveAnnotation,
  clusterApiGroup,
  moveHierarchyLabel,
  moveLabel,
} from "@rookery/cluster-api";
import {
  formatApiVersion,
  formatGroupKind,
  type KubeObject,
  type ObjectKey,
  type OwnerReference,
  objectKeyOf,
  parseApiVersion,
} from "@rookery/kube";
import type { MovedType } from "./moved-type.ts";

/** An object in the graph of owners; without an object, an owner that was not read. */
export interface MovedNode {
  readonly uid: string;
  readonly groupKind: string;
  readonly key: ObjectKey;
  object: KubeObject | undefined;
  type: MovedType | undefined;
  readonly owners: Map<MovedNode, OwnerReference>;
  /** Owners by name instead of a reference. */
  readonly softOwners: Set<MovedNode>;
  readonly dependents: Set<MovedNode>;
  /** Its roots, such as clusters, classes and identities, including itself. */
  readonly tenants: Set<MovedNode>;
  /** Whether one of its roots is cluster-scoped, so that others may use it. */
  isOfGlobal: boolean;
}

export const clusterKind = `Cluster.${clusterApiGroup}`;
export const classKind = `ClusterClass.${clusterApiGroup}`;
export const machineKind = `Machine.${clusterApiGroup}`;
export const bindingKind = `ClusterResourceSetBinding.${addonsGroup}`;

export function nodeOf(object: KubeObject, type: MovedType): MovedNode {
  const { uid = "" } = object.metadata;
  return { ...emptyNode(uid, formatGroupKind(type.resource), objectKeyOf(object)), object, type };
}

/** An owner that has not been read yet. */
export function virtualNodeOf({ apiVersion, kind, name, uid }: OwnerReference): MovedNode {
  return emptyNode(uid, formatGroupKind({ ...parseApiVersion(apiVersion), kind }), { name });
}

function emptyNode(uid: string, groupKind: string, key: ObjectKey): MovedNode {
  return {
    uid,
    groupKind,
    key,
    object: undefined,
    type: undefined,
    isOfGlobal: false,
    owners: new Map(),
    softOwners: new Set(),
    dependents: new Set(),
    tenants: new Set(),
  };
}

export function isGlobal({ type }: MovedNode): boolean {
  return type !== undefined && !type.resource.namespaced;
}

/** Whether it is moved with all its dependents. */
export function isRoot({ type, object }: MovedNode): boolean {
  return type?.forceMoveHierarchy === true || hasLabel(object, moveHierarchyLabel);
}

/** Whether it is moved with any owner. */
export function isForced({ type, object }: MovedNode): boolean {
  return type?.forceMove === true || hasLabel(object, moveLabel);
}

/** Whether it is an account that clusters of all namespaces may use. */
export function isIdentity(node: MovedNode): boolean {
  return isGlobal(node) && node.type?.resource.kind.endsWith("Identity") === true;
}

/** Whether the object itself has a label for moves. */
export function isLabelled({ object }: MovedNode): boolean {
  return hasLabel(object, moveLabel) || hasLabel(object, moveHierarchyLabel);
}

export function isBlocked({ object }: MovedNode): boolean {
  return object?.metadata.annotations?.[blockMoveAnnotation] !== undefined;
}

function hasLabel(object: KubeObject | undefined, label: string): boolean {
  return object?.metadata.labels?.[label] !== undefined;
}

export function apiVersionOf({ type }: MovedNode): string {
  return type ? formatApiVersion(type.resource) : "";
}
