import { createClient, loadConfig } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { sizeOf } from "./data-folder.ts";
import { currentRun, type LocalRun } from "./run-file.ts";

export interface LocalStatus {
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
export async function readStatus(folder: string): Promise<LocalStatus> {
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
