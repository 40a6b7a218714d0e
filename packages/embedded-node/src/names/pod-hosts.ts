import { closeSync, fchmodSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { BoundPod } from "../pod/pod.ts";
import { hostsText } from "./hosts-text.ts";
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
