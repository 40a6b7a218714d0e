import type { KubeObject, ObjectMeta, OwnerReference } from "@rookery/kube";

/** A Cluster of either contract, as far as its infrastructure is concerned. */
export interface OwnerCluster extends KubeObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly infrastructureRef?: InfrastructureReference;
  };
  readonly status?: {
    /** v1beta2. */
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
    /** v1beta1. */
    readonly infrastructureReady?: boolean;
  };
}

/** A Machine of either contract, as far as its infrastructure is concerned. */
export interface OwnerMachine extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string;
    readonly failureDomain?: string;
    readonly bootstrap?: { readonly dataSecretName?: string };
    readonly infrastructureRef?: InfrastructureReference;
  };
}

interface InfrastructureReference {
  readonly kind?: string;
  readonly name?: string;
}

export const clusterNameLabel = "cluster.x-k8s.io/cluster-name";
const pausedAnnotation = "cluster.x-k8s.io/paused";
/** On what clusterctl deletes because it is elsewhere now: what it stands for has to stay. */
const movedAnnotation = "clusterctl.cluster.x-k8s.io/delete-for-move";

/** The owner of a kind of Cluster API, in whatever version it is named. */
export function clusterApiOwner(
  { ownerReferences = [] }: ObjectMeta,
  kind: "Cluster" | "Machine",
): OwnerReference | undefined {
  return ownerReferences.find(
    (owner) => owner.kind === kind && owner.apiVersion.startsWith("cluster.x-k8s.io/"),
  );
}

/**
 * Whether somebody asked that nothing be done, for the whole cluster or for this object. What is
 * moved counts as paused even when its Cluster, which said so, is no longer there.
 */
export function isPaused(owner: OwnerCluster | undefined, { metadata }: KubeObject): boolean {
  const { annotations = {} } = metadata;
  return owner?.spec?.paused === true || pausedAnnotation in annotations || isMoved(metadata);
}

/** Whether clusterctl has made the object anew elsewhere, and deletes it here. */
function isMoved({ annotations = {} }: ObjectMeta): boolean {
  return movedAnnotation in annotations;
}

/** Whether Cluster API has taken note that the infrastructure of the cluster is there. */
export function isInfrastructureProvisioned({ status }: OwnerCluster): boolean {
  return (
    status?.initialization?.infrastructureProvisioned === true ||
    status?.infrastructureReady === true
  );
}
