import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Child, type Kubernetes, startChild } from "@rookery/testing";

export interface ProviderProcessOptions {
  /** The file of the program, beside this one. */
  readonly program: string;
  readonly kubernetes: Pick<Kubernetes, "kubeconfig">;
  /** Where its lease is. */
  readonly ownNamespace: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The folder for its log. */
  readonly folder: string;
}

/** A provider in a process of its own. */
export interface ProviderProcess extends Child {
  /** What it has printed so far. */
  printed(): Promise<string>;
}

let started = 0;

export async function startProvider(options: ProviderProcessOptions): Promise<ProviderProcess> {
  const { program, kubernetes, ownNamespace, args = [], env, folder } = options;
  const log = join(folder, `${program}-${started++}.log`);
  const child = await startChild({
    name: program,
    command: process.execPath,
    args: [
      join(import.meta.dirname, program),
      `--kubeconfig=${kubernetes.kubeconfig}`,
      ...["--health-addr=0", "--metrics-bind-address=0", "--webhook-port=0"],
      ...args,
    ],
    env: { ...process.env, POD_NAMESPACE: ownNamespace, ...env },
    log,
    grace: 60_000,
  });
  return Object.assign(child, { printed: () => readFile(log, "utf8") });
}
