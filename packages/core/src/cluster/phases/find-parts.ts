import type { Cluster } from "@rookery/api";
import { isBeingDeleted } from "@rookery/runtime";
import type { ContractReference, Lookup } from "../../contract/externals.ts";
import { findPart } from "../../contract/find-part.ts";
import { PartLostError, PartTakenError } from "../../errors.ts";
import { withCluster } from "../policies.ts";
import type { ClusterParts, ClusterScope } from "../scope.ts";

export interface FoundParts extends ClusterParts {
  /** Errors to retry; the conditions of the parts show them. */
  readonly problems: readonly unknown[];
}

/** Finds infrastructure and control plane, and makes the Cluster their owner. Never rejects. */
export async function findParts(
  cluster: Cluster,
  { externals }: Pick<ClusterScope, "externals">,
): Promise<FoundParts> {
  const { metadata, spec, status } = cluster;
  const owner = {
    namespace: metadata.namespace,
    clusterName: metadata.name ?? "",
    withOwner: (part: Parameters<typeof withCluster>[0]) => withCluster(part, cluster),
  };
  const infrastructure = await findPart(spec.infrastructureRef, owner, externals);
  const controlPlane = await findPart(spec.controlPlaneRef, owner, externals);
  const { infrastructureProvisioned, controlPlaneInitialized } = status?.initialization ?? {};
  const problems = [
    problemOf(infrastructure, cluster),
    lossOf(infrastructure, spec.infrastructureRef, infrastructureProvisioned && "provisioned"),
    problemOf(controlPlane, cluster),
    lossOf(controlPlane, spec.controlPlaneRef, controlPlaneInitialized && "initialized"),
  ];
  return { infrastructure, controlPlane, problems: problems.filter((one) => one !== undefined) };

  function lossOf(
    { outcome }: Lookup,
    reference: ContractReference | undefined,
    wasUp: string | false | undefined,
  ): unknown {
    if (outcome !== "missing" || !reference || !wasUp || isBeingDeleted(cluster)) return undefined;
    return new PartLostError(reference.kind, reference.name, wasUp);
  }
}

function problemOf(lookup: Lookup, cluster: Cluster): unknown {
  if (lookup.outcome !== "failed") return undefined;
  // A deletion leaves the parts of other Clusters alone.
  const isOther = lookup.error instanceof PartTakenError && isBeingDeleted(cluster);
  return isOther ? undefined : lookup.error;
}
