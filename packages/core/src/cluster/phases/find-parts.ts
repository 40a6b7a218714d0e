import type { Cluster } from "@rookery/api";
import { isBeingDeleted } from "@rookery/runtime";
import type { ContractReference, Lookup } from "../../contract/externals.ts";
import { findPart, type PartOwner } from "../../contract/externals.ts";
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
  const owner: PartOwner = {
    namespace: metadata.namespace,
    clusterName: metadata.name ?? "",
    withOwner: (part) => withCluster(part, cluster),
  };
  const infrastructure = await findPart(spec.infrastructureRef, owner, externals);
  const controlPlane = await findPart(spec.controlPlaneRef, owner, externals);
  const { infrastructureProvisioned, controlPlaneInitialized } = status?.initialization ?? {};
  const problems = [
    ...problemsOf(cluster, infrastructure, {
      reference: spec.infrastructureRef,
      wasUp: infrastructureProvisioned && "provisioned",
    }),
    ...problemsOf(cluster, controlPlane, {
      reference: spec.controlPlaneRef,
      wasUp: controlPlaneInitialized && "initialized",
    }),
  ];
  return { infrastructure, controlPlane, problems };
}

interface NamedPart {
  readonly reference: ContractReference | undefined;
  /** What the part was before; false or undefined where it was never provisioned. */
  readonly wasUp: string | false | undefined;
}

function problemsOf(cluster: Cluster, lookup: Lookup, { reference, wasUp }: NamedPart): unknown[] {
  if (lookup.outcome === "failed") {
    // A deletion leaves the parts of other Clusters alone.
    const isOther = lookup.error instanceof PartTakenError && isBeingDeleted(cluster);
    return isOther ? [] : [lookup.error];
  }
  if (lookup.outcome !== "missing" || !wasUp || isBeingDeleted(cluster)) return [];
  return [new PartLostError(reference?.kind ?? "", reference?.name ?? "", wasUp)];
}
