import type { BoundPod } from "../pod/pod.ts";
import type { ServiceName } from "./service-names.ts";

export interface HostsOptions {
  readonly address: string;
  /** The content of the machine's own file. */
  readonly machine: string;
  readonly names: readonly ServiceName[];
}

/**
 * The /etc/hosts of a pod, as a kubelet writes it for pods on the host network, followed by the names
 * of cluster DNS.
 */
export function hostsText(pod: BoundPod, { address, machine, names }: HostsOptions): string {
  const { hostname, hostAliases = [] } = pod.spec;
  const aliases = hostAliases.map(({ ip, hostnames = [] }) => line(ip ?? "", hostnames));
  const services = names.map((name) => line(name.address, variants(name, pod.metadata.namespace)));
  return [
    "# Kubernetes-managed hosts file (host network).",
    machine.trimEnd(),
    line(address, [hostname || (pod.metadata.name ?? "")]),
    ...(aliases.length > 0 ? ["", "# Entries added by HostAliases.", ...aliases] : []),
    ...(services.length > 0 ? ["", "# Services, in place of cluster DNS.", ...services] : []),
    "",
  ].join("\n");
}

function line(address: string, names: readonly string[]): string {
  return [address, ...names].join("\t");
}

function variants({ name, namespace }: ServiceName, from: string | undefined): readonly string[] {
  const long = `${name}.${namespace}`;
  return [`${long}.svc.cluster.local`, `${long}.svc`, long, ...(namespace === from ? [name] : [])];
}
