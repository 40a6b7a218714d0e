import type { OwnerCluster, OwnerMachine } from "@rookery/cluster-api";
import { controlPlaneLabel, isInfrastructureProvisioned } from "@rookery/cluster-api";
import { type Finding, isFalse } from "@rookery/kube";
import type { Host, HostCluster } from "../kinds/host-cluster.ts";
import type { HostMachine } from "../kinds/host-machine.ts";

/** The objects of Cluster API that a machine waits for. */
export interface Owners {
  readonly machine: OwnerMachine;
  readonly cluster: OwnerCluster | undefined;
  readonly hostCluster: HostCluster | undefined;
}

/** Returns the HostCluster when a host may be claimed from it, otherwise the reason to wait. */
export function claimableCluster({ machine, cluster, hostCluster }: Owners): HostCluster | Finding {
  if (!cluster) return isFalse("WaitingForCluster", "the Cluster of the Machine does not exist");
  if (!hostCluster) {
    return isFalse("WaitingForCluster", "the Cluster refers to no existing HostCluster");
  }
  if (!isInfrastructureProvisioned(cluster)) {
    return isFalse("WaitingForClusterInfrastructure", "the Cluster is not provisioned yet");
  }
  if (!machine.spec?.bootstrap?.dataSecretName) {
    return isFalse("WaitingForBootstrapData", "the Machine has no bootstrap data yet");
  }
  return hostCluster;
}

/** Returns the first free host for the role of a machine, otherwise the reason to wait. */
export function chooseHost(
  cluster: HostCluster,
  machines: readonly HostMachine[],
  isControlPlane: boolean,
): Host | Finding {
  const suitable = hostsOf(cluster).filter(
    (host) => (host.controlPlane ?? false) === isControlPlane,
  );
  const free = freeHosts(suitable, machines);
  const role = isControlPlane ? "control plane" : "worker";
  const why = `machines use all ${suitable.length} ${role} hosts: add a host to spec.hosts of the HostCluster ${cluster.metadata.name}`;
  return free[0] ?? isFalse("NoFreeHost", why);
}

/** Returns the hosts that no machine uses. */
export function freeHosts(hosts: readonly Host[], machines: readonly HostMachine[]): Host[] {
  const used = new Set(machines.map(({ spec }) => spec?.host));
  return hosts.filter(({ name }) => !used.has(name));
}

export function hostsOf({ spec }: HostCluster): readonly Host[] {
  return spec?.hosts ?? [];
}

export function isControlPlane({ metadata }: OwnerMachine): boolean {
  return controlPlaneLabel in (metadata.labels ?? {});
}
