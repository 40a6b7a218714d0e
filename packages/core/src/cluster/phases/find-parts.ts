import type { Cluster } from "@rookery/api";
import { findPart, type PartOwner } from "../../contract/externals.ts";
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
  const { infrastructureProvisioned, controlPlaneInitialized } = status?.initialization ?? {};
  const owner: PartOwner = {
    object: cluster,
    clusterName: metadata.name ?? "",
    withOwner: (part) => withCluster(part, cluster),
  };
  const infrastructure = await findPart(
    { reference: spec.infrastructureRef, wasUp: infrastructureProvisioned && "provisioned" },
    owner,
    externals,
  );
  const controlPlane = await findPart(
    { reference: spec.controlPlaneRef, wasUp: controlPlaneInitialized && "initialized" },
    owner,
    externals,
  );
  return {
    infrastructure: infrastructure.lookup,
    controlPlane: controlPlane.lookup,
    problems: [...infrastructure.problems, ...controlPlane.problems],
  };
}
