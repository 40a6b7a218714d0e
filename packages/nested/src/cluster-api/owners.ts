import type { KubeObject, ObjectMeta, OwnerReference, Resource } from "@rookery/kube";

/** A Cluster of either contract, as far as it concerns its control plane and infrastructure. */
export interface OwnerCluster extends KubeObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly controlPlaneRef?: ContractReference;
    readonly infrastructureRef?: ContractReference;
    readonly clusterNetwork?: {
      readonly pods?: { readonly cidrBlocks?: readonly string[] };
      readonly services?: { readonly cidrBlocks?: readonly string[] };
    };
  };
}

/** A reference of v1beta2, which has an apiGroup, or of v1beta1, which has an apiVersion. */
export interface ContractReference {
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

const pausedAnnotation = "cluster.x-k8s.io/paused";
/** On what clusterctl deletes because it is elsewhere now: what it stands for has to stay. */
const movedAnnotation = "clusterctl.cluster.x-k8s.io/delete-for-move";

/** The Cluster that owns an object, in whatever version it is named. */
export function clusterOwner({ ownerReferences = [] }: ObjectMeta): OwnerReference | undefined {
  return ownerReferences.find(
    ({ apiVersion, kind }) => kind === "Cluster" && apiVersion.startsWith("cluster.x-k8s.io/"),
  );
}

/**
 * Whether somebody asked that nothing be done, for the whole cluster or for this object. What is
 * moved counts as paused even when its Cluster, which said so, is no longer there.
 */
export function isPaused(owner: OwnerCluster | undefined, { metadata }: KubeObject): boolean {
  const { annotations = {} } = metadata;
  return (
    owner?.spec?.paused === true ||
    pausedAnnotation in annotations ||
    movedAnnotation in annotations
  );
}

/**
 * Whether a Cluster owns an object and names it in turn. Whoever writes an object can claim any owner,
 * and what the manager does is named after it: the Secrets of another Cluster would be used.
 */
export function isOwnedBy(
  { metadata }: KubeObject,
  owner: OwnerCluster,
  { kind, ...resource }: Pick<Resource, "group" | "kind">,
): boolean {
  const { controlPlaneRef, infrastructureRef } = owner.spec ?? {};
  const isControlPlane = kind === "NestedControlPlane";
  const reference = isControlPlane ? controlPlaneRef : infrastructureRef;
  const isNamed = refersTo(reference, { ...resource, kind }) && reference.name === metadata.name;
  return isNamed && clusterOwner(metadata)?.uid === owner.metadata.uid;
}

/** Whether a reference, of either contract, is to a kind of a group. */
export function refersTo(
  reference: ContractReference | undefined,
  { group, kind }: { readonly group: string; readonly kind: string },
): reference is ContractReference & { readonly name: string } {
  const named = reference?.apiGroup ?? reference?.apiVersion?.split("/")[0];
  return named === group && reference?.kind === kind && Boolean(reference.name);
}
