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

/** An object as a move sees it, or an owner that nobody has seen: then it has no object. */
export interface MovedNode {
  readonly uid: string;
  readonly groupKind: string;
  readonly key: ObjectKey;
  object: KubeObject | undefined;
  type: MovedType | undefined;
  /** What owns it, with the reference to it. */
  readonly owners: Map<MovedNode, OwnerReference>;
  /** What it belongs to by a name and not by a reference. */
  readonly softOwners: Set<MovedNode>;
  /** What it owns, either way. */
  readonly dependents: Set<MovedNode>;
  /** The roots that it belongs to, itself included: clusters, classes, identities. */
  readonly tenants: Set<MovedNode>;
  /** Whether one of them is not in a namespace, as an identity that others may use too. */
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

/** A place for an owner, until it is seen. */
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

/** Whether it is moved with all that it owns. */
export function isRoot({ type, object }: MovedNode): boolean {
  return type?.forceMoveHierarchy === true || hasLabel(object, moveHierarchyLabel);
}

/** Whether it is moved, whoever owns it. */
export function isForced({ type, object }: MovedNode): boolean {
  return type?.forceMove === true || hasLabel(object, moveLabel);
}

/** Whether it is an account of an infrastructure provider that clusters of any namespace may use. */
export function isIdentity(node: MovedNode): boolean {
  return isGlobal(node) && node.type?.resource.kind.endsWith("Identity") === true;
}

/** Whether somebody has said of this very object that it is moved. */
export function isLabelled({ object }: MovedNode): boolean {
  return hasLabel(object, moveLabel) || hasLabel(object, moveHierarchyLabel);
}

export function isBlocked({ object }: MovedNode): boolean {
  return object?.metadata.annotations?.[blockMoveAnnotation] !== undefined;
}

function hasLabel(object: KubeObject | undefined, label: string): boolean {
  return object?.metadata.labels?.[label] !== undefined;
}

/** The apiVersion under which its type is moved. */
export function apiVersionOf({ type }: MovedNode): string {
  return type ? formatApiVersion(type.resource) : "";
}
