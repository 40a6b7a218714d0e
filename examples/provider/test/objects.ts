import type { Host, HostCluster } from "../src/kinds/host-cluster.ts";
import type { HostMachine } from "../src/kinds/host-machine.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";

/** Three hosts, the first one for the control plane. */
export const hosts: readonly Host[] = [
  { name: "rack-1", address: "10.0.0.11", controlPlane: true },
  { name: "rack-2", address: "10.0.0.12" },
  { name: "rack-3", address: "10.0.0.13" },
];

export function clusterWith(hosts: readonly Host[]): HostCluster {
  const metadata = { namespace: "team", name: "demo" };
  return { apiVersion, kind: "HostCluster", metadata, spec: { hosts } };
}

export function machineOn(host?: string, name = host ?? "new"): HostMachine {
  const metadata = { namespace: "team", name };
  return { apiVersion, kind: "HostMachine", metadata, spec: { ...(host && { host }) } };
}
