import { closeSync, fchmodSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { BoundPod } from "../pod/pod.ts";
import type { ServiceName } from "./service-names.ts";

/** Where programs look for names before they ask a server. */
export const hostsPath = "/etc/hosts";

export interface PodHostsOptions {
  readonly file: string;
  readonly address: string;
  /** As they are now. */
  names(): readonly ServiceName[];
}

/** The file that a pod's containers have as /etc/hosts. */
export class PodHosts {
  readonly #options: PodHostsOptions;
  #written: string | undefined;

  constructor(options: PodHostsOptions) {
    this.#options = options;
  }

  /** Writes the file if its content changed. */
  write(pod: BoundPod): void {
    const { file, address, names } = this.#options;
    const text = hostsText(pod, { address, machine: machineHosts(), names: names() });
    if (text === this.#written) return;
    writeInPlace(file, Buffer.from(text));
    this.#written = text;
  }
}

/** Nothing where the machine has no such file. */
function machineHosts(): string {
  try {
    return readFileSync(hostsPath, "utf8");
  } catch {
    return "";
  }
}

/** Writes into the same file: containers have mounted it, and would not see a replacement. */
function writeInPlace(file: string, bytes: Buffer): void {
  closeSync(openSync(file, "a", 0o644));
  const descriptor = openSync(file, "r+");
  try {
    // For any user of a container, whatever this process makes its own files with.
    fchmodSync(descriptor, 0o644);
    writeSync(descriptor, bytes, 0, bytes.length, 0);
    ftruncateSync(descriptor, bytes.length);
  } finally {
    closeSync(descriptor);
  }
}

interface HostsOptions {
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
