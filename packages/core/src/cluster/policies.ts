import type { Cluster } from "@rookery/api";
import { endpointOf, isDone } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";

type Status = Cluster["status"];

/** Whether it is known where the API server is reached. */
export function isValidEndpoint({ controlPlaneEndpoint: endpoint }: Cluster["spec"]): boolean {
  return Boolean(endpoint?.host && endpoint.port);
}

/** Whether the infrastructure is there, now or once, and is not about to go. */
export function isInfrastructureUp(infrastructure: Lookup, status: Status): boolean {
  return isUp("infrastructure", infrastructure, status?.initialization?.infrastructureProvisioned);
}

/** The same of the control plane. */
function isControlPlaneUp(controlPlane: Lookup, status: Status): boolean {
  return isUp("controlPlane", controlPlane, status?.initialization?.controlPlaneInitialized);
}

function isUp(role: "infrastructure" | "controlPlane", lookup: Lookup, wasUp = false): boolean {
  if (lookup.outcome !== "found" || isBeingDeleted(lookup.object)) return false;
  return wasUp || isDone(role, lookup);
}

/** The Cluster with the endpoint of its infrastructure, or else of its control plane. */
export function withEndpoint(
  cluster: Cluster,
  { infrastructure, controlPlane }: Record<"infrastructure" | "controlPlane", Lookup>,
): Cluster {
  const { spec, status } = cluster;
  if (isValidEndpoint(spec)) return cluster;
  const controlPlaneEndpoint =
    (isInfrastructureUp(infrastructure, status) && endpointIn(infrastructure)) ||
    (isControlPlaneUp(controlPlane, status) && endpointIn(controlPlane));
  return controlPlaneEndpoint ? { ...cluster, spec: { ...spec, controlPlaneEndpoint } } : cluster;
}

function endpointIn(lookup: Lookup) {
  return lookup.outcome === "found" ? endpointOf(lookup.object) : undefined;
}

/** The Cluster with what has become of it for the first time; what is true stays so. */
export function withInitialization(
  cluster: Cluster,
  { infrastructure, controlPlane }: Record<"infrastructure" | "controlPlane", Lookup>,
): Cluster {
  const { status } = cluster;
  // Where no infrastructure is named, none is waited for.
  const isUnnamed = infrastructure.outcome === "unnamed" && !isBeingDeleted(cluster);
  const initialization = {
    ...status?.initialization,
    ...((isUnnamed || isInfrastructureUp(infrastructure, status)) && {
      infrastructureProvisioned: true,
    }),
    ...(isControlPlaneUp(controlPlane, status) && { controlPlaneInitialized: true }),
  };
  if (Object.keys(initialization).length === 0) return cluster;
  return { ...cluster, status: { ...status, initialization } };
}
