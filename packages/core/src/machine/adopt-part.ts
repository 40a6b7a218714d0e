import type { Cluster, Machine } from "@rookery/api";
import { clusterApiGroup, clusterNameLabel } from "@rookery/cluster-api";
import {
  isControlledBy,
  type KubeObject,
  type OwnerReference,
  withControllerReference,
} from "@rookery/kube";
import type { Externals, Lookup } from "../contract/externals.ts";
import { isControlPlaneMachine } from "./policies.ts";

/**
 * Makes a part the Machine's own: controlled by it, and by none of those who only made it for the
 * machine, which are the owners of that.
 */
export async function adoptPart(
  machine: Machine,
  lookup: Lookup,
  { cluster, externals }: { readonly cluster: Cluster; readonly externals: Externals },
): Promise<Lookup> {
  if (lookup.outcome !== "found") return lookup;
  const { object } = lookup;
  const { clusterName } = machine.spec;
  const makers = (object.metadata.ownerReferences ?? []).filter((owner) =>
    isMaker(owner, machine, cluster),
  );
  const isLabelled = object.metadata.labels?.[clusterNameLabel] === clusterName;
  if (makers.length === 0 && isControlledBy(object, machine) && isLabelled) return lookup;
  try {
    const free = withOwners(object, (owner) => !makers.includes(owner));
    const owned = withControllerReference(free, machine);
    const labels = { ...owned.metadata.labels, [clusterNameLabel]: clusterName };
    const desired = { ...owned, metadata: { ...owned.metadata, labels } };
    return { ...lookup, object: await externals.commit(lookup, desired) };
  } catch (error) {
    return { outcome: "failed", error };
  }
}

function withOwners(object: KubeObject, isKept: (owner: OwnerReference) => boolean): KubeObject {
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter(isKept);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** Such as a MachineSet, or the control plane of a machine that is one of its own. */
function isMaker(
  { apiVersion, kind }: OwnerReference,
  machine: Machine,
  cluster: Cluster,
): boolean {
  const group = apiVersion.split("/")[0];
  if (group === clusterApiGroup && kind === "MachineSet") return true;
  const { controlPlaneRef } = cluster.spec;
  const isControlPlane = group === controlPlaneRef?.apiGroup && kind === controlPlaneRef?.kind;
  return isControlPlane && isControlPlaneMachine(machine);
}
