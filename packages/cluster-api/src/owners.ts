import {
  type GroupKind,
  type KubeObject,
  keyBeside,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
} from "@rookery/kube";
import { clusterApiGroup } from "./names.ts";
import { type ContractReference, refersTo } from "./references.ts";

/** A Cluster of either contract, with the fields that providers read. */
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
  readonly status?: {
    /** v1beta2. */
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
    /** v1beta1. */
    readonly infrastructureReady?: boolean;
  };
}

/** A Machine of either contract, with the fields that providers read. */
export interface OwnerMachine extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string;
    readonly failureDomain?: string;
    readonly bootstrap?: { readonly dataSecretName?: string };
    readonly infrastructureRef?: ContractReference;
  };
}

type OwnerKind = "Cluster" | "Machine";
type Owned = Pick<KubeObject, "metadata">;

/** The owner reference to a Cluster or a Machine, in whatever version of the kind it is written. */
export function clusterApiOwner(
  { ownerReferences = [] }: ObjectMeta,
  kind: OwnerKind,
): OwnerReference | undefined {
  return ownerReferences.find(
    (owner) => owner.kind === kind && owner.apiVersion.startsWith(`${clusterApiGroup}/`),
  );
}

/** Reads the Cluster or Machine that owns an object; undefined where there is none yet. */
export async function readOwner<T>(
  object: Owned,
  kind: OwnerKind,
  read: (key: ObjectKey) => Promise<T | undefined>,
): Promise<T | undefined> {
  const owner = clusterApiOwner(object.metadata, kind);
  return owner && read(keyBeside(object, owner.name));
}

/**
 * Whether a Cluster owns an object and refers to it. Whoever writes an object can claim any owner, and what a
 * manager makes is named after the owner: without this check it would use the Secrets of another Cluster.
 */
export function isOwnedAndNamedBy(
  { metadata }: Owned,
  owner: OwnerCluster,
  kind: GroupKind,
): boolean {
  const { controlPlaneRef, infrastructureRef } = owner.spec ?? {};
  const isNamed = [controlPlaneRef, infrastructureRef].some(
    (reference) => refersTo(reference, kind) && reference.name === metadata.name,
  );
  return isNamed && clusterApiOwner(metadata, "Cluster")?.uid === owner.metadata.uid;
}

/** Whether Cluster API has seen that the infrastructure of the Cluster is provisioned. */
export function isInfrastructureProvisioned({ status }: OwnerCluster): boolean {
  return (
    status?.initialization?.infrastructureProvisioned === true ||
    status?.infrastructureReady === true
  );
}
