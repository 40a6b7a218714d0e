import type { Cluster } from "@rookery/api";
import { clusterApiOwner, endpointOf, isDone } from "@rookery/cluster-api";
import { hasOwnerReference, type KubeObject, withOwnerReference } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";
import { PartTakenError } from "../errors.ts";

type Status = Cluster["status"];

/** Whether the endpoint of the API server is known. */
export function isValidEndpoint({ controlPlaneEndpoint: endpoint }: Cluster["spec"]): boolean {
  return Boolean(endpoint?.host && endpoint.port);
}

/** Whether the infrastructure is or was provisioned, and is not being deleted. */
export function isInfrastructureUp(infrastructure: Lookup, status: Status): boolean {
  return isUp("infrastructure", infrastructure, status?.initialization?.infrastructureProvisioned);
}

/** Whether the control plane is or was initialized, and is not being deleted. */
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

/** The Cluster with its fields of initialization; a field that is true stays true. */
export function withInitialization(
  cluster: Cluster,
  { infrastructure, controlPlane }: Record<"infrastructure" | "controlPlane", Lookup>,
): Cluster {
  const { status } = cluster;
  // A Cluster without a reference to infrastructure does not wait for any.
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

/** The part with the Cluster among its owners. Throws a PartTakenError where another Cluster owns it. */
export function withCluster(part: KubeObject, cluster: Cluster): KubeObject {
  const { kind, metadata } = part;
  const other = otherCluster(part, cluster);
  if (other) throw new PartTakenError({ kind, name: metadata.name ?? "" }, other);
  const known = metadata.ownerReferences?.find(({ uid }) => uid === cluster.metadata.uid);
  const isOwned = hasOwnerReference(part, cluster) && known?.apiVersion === cluster.apiVersion;
  return isOwned ? part : withOwnerReference(part, cluster);
}

/** Compares names: the uid of the same Cluster differs after it was restored from a backup. */
function otherCluster({ metadata }: KubeObject, cluster: Cluster): string | undefined {
  const { ownerReferences = [] } = metadata;
  const others = ownerReferences.filter(({ name }) => name !== cluster.metadata.name);
  return clusterApiOwner({ ...metadata, ownerReferences: others }, "Cluster")?.name;
}
