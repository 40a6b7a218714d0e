import { resolve } from "node:path";
import { createClient, loadConfig } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { defineCommand } from "../define-command.ts";
import { sizeOf } from "../local/data-folder.ts";
import { dataFlag } from "../local/flags.ts";
import { currentRun, type LocalRun } from "../local/run-file.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatPairs } from "../output/table.ts";

interface LocalStatus {
  readonly running: boolean;
  readonly data: { readonly folder: string; readonly bytes: number };
  readonly address?: string;
  readonly version?: string;
  readonly node?: { readonly name: string; readonly ready: boolean };
  readonly pods?: { readonly total: number; readonly ready: number };
  readonly pid?: number;
  readonly since?: string;
  readonly kubeconfig?: string;
  /** Why it could not be asked, where it runs and does not answer. */
  readonly problem?: string;
}

type Conditioned = KubeObject<
  unknown,
  { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
>;

const answerMs = 5_000;
const { nodes, pods } = builtInResources;

/** What is known of the embedded Kubernetes with its data in a folder. */
async function readStatus(folder: string): Promise<LocalStatus> {
  const run = currentRun(folder);
  const data = { folder, bytes: await sizeOf(folder) };
  if (!run) return { running: false, data };
  const { url: address, version, pid, since, kubeconfig } = run;
  const known = { running: true, data, address, version, pid, since, kubeconfig };
  try {
    return { ...known, ...(await askServer(run)) };
  } catch (error) {
    return { ...known, problem: messageOf(error) };
  }
}

async function askServer({ kubeconfig, node: name }: LocalRun) {
  const client = createClient(await loadConfig({ path: kubeconfig }));
  try {
    const signal = AbortSignal.timeout(answerMs);
    const [node, { items }] = await Promise.all([
      client.resource<Conditioned>(nodes).get({ name }, { signal }),
      client.resource<Conditioned>(pods).list({ signal }),
    ]);
    const ready = items.filter(isReady).length;
    return { node: { name, ready: isReady(node) }, pods: { total: items.length, ready } };
  } finally {
    await client.destroy();
  }
}

function isReady({ status }: Conditioned): boolean {
  return (
    status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false
  );
}

interface Options {
  readonly data: string;
  readonly output?: Form;
}

/** Prints whether the embedded Kubernetes runs, and the state of its node and pods. */
export const run = defineCommand<Options>({
  description:
    "Prints whether the embedded Kubernetes runs, its address, and the state of its node and pods.",
  examples: `  rookery local status                       whether it runs, and the state of its node and pods
  rookery local status -o json | jq .node    the same for programs`,
  declare: (command, io) => dataFlag(outputFlag(command, ["table", "json", "yaml"]), io.env),
  async run({ data, output }, io) {
    const status = await readStatus(resolve(data));
    const text = () => formatPairs(rowsOf(status), { width: io.terminal?.columns() });
    io.write(formatFor(output, status, text));
  },
});

function rowsOf({ running, data, ...rest }: LocalStatus): (readonly [string, string])[] {
  const stored = ["Data", `${data.folder} (${sizeText(data.bytes)})`] as const;
  if (!running) return [["State", "stopped"], stored];
  const { address, version, node, pods, pid, since, problem } = rest;
  return [
    ["State", problem === undefined ? "running" : `running, but does not answer: ${problem}`],
    ["Address", address ?? ""],
    ["Version", version ?? ""],
    ["Node", node ? `${node.name} (${node.ready ? "Ready" : "NotReady"})` : "unknown"],
    ["Pods", pods ? `${pods.ready} of ${pods.total} ready` : "unknown"],
    stored,
    ["Process", `${pid}`],
    ["Since", since ?? ""],
    ["Kubeconfig", rest.kubeconfig ?? ""],
  ];
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
