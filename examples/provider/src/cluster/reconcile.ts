import { notPaused, type OwnerCluster, whenPaused } from "@rookery/cluster-api";
import { type Clock, type Finding, isFalse, withConditions } from "@rookery/kube";
import { createLifecycle, type Outcome } from "@rookery/runtime";
import type { HostCluster } from "../kinds/host-cluster.ts";
import { freeHosts, hostsOf } from "../machine/policies.ts";
import { readiness } from "./policies.ts";
import type { ClusterScope } from "./scope.ts";

/** Reports the endpoint and the free hosts of a HostCluster, and keeps it while it has machines. */
export const clusterLifecycle = createLifecycle<HostCluster, ClusterScope, OwnerCluster>({
  finalizer: "hostcluster.infrastructure.cluster.x-k8s.io",
  owner: (cluster, { getOwner }) => getOwner(cluster),
  whenPaused: (cluster, { clock }, owner) => whenPaused(cluster, owner, clock),
  whenUnowned: (cluster, { clock }) => ({
    object: withFinding(cluster, isFalse("WaitingForOwner", "no Cluster owns this object"), clock),
  }),
  provision,
  remove,
  errors: { withFinding: (cluster, finding, { clock }) => withFinding(cluster, finding, clock) },
});

async function provision(
  cluster: HostCluster,
  { listMachines, clock }: ClusterScope,
): Promise<Outcome<HostCluster>> {
  const machines = await listMachines(cluster);
  const all = hostsOf(cluster);
  const hosts = { total: all.length, free: freeHosts(all, machines).length };
  const { status, ...rest } = withFinding(cluster, readiness(cluster), clock);
  const isProvisioned = status?.ready || status?.initialization?.provisioned;
  const initialization = isProvisioned && { initialization: { provisioned: true } };
  return { object: { ...rest, status: { ...status, hosts, ...initialization } } };
}

async function remove(
  cluster: HostCluster,
  { listMachines, clock }: ClusterScope,
): Promise<Outcome<HostCluster> | "removed"> {
  const { length } = await listMachines(cluster);
  if (length === 0) return "removed";
  const finding = isFalse("Deleting", `${length} HostMachines of the cluster still exist`);
  return { object: withFinding(cluster, finding, clock) };
}

function withFinding(cluster: HostCluster, finding: Finding, clock: Clock): HostCluster {
  const { status, ...rest } = withConditions(
    cluster,
    [{ type: "Ready", ...finding }, notPaused],
    clock,
  );
  return { ...rest, status: { ...status, ready: finding.status === "True" } };
}
