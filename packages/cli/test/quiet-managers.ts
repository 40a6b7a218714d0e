import assert from "node:assert/strict";
import { createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { anyKubectl, runCommand, waitFor } from "@rookery/testing";

type Pod = KubeObject<{ readonly containers: readonly { readonly name: string }[] }>;

/** Longer than the pauses of whatever is tried again while a plane comes up. */
const quietMs = 45_000;

/**
 * Waits until no manager of a plane has logged an error for a while: at rest nothing is wrong, and a
 * log that fills with errors hides the one that matters. Otherwise it fails with the latest errors.
 */
export async function assertQuietManagers(kubeconfig: string): Promise<void> {
  const began = Date.now();
  let errors: readonly string[] = [];
  await waitFor(
    async () => {
      errors = await errorsSince(kubeconfig, Math.max(began, Date.now() - quietMs));
      return Date.now() - began >= quietMs && errors.length === 0;
    },
    {
      what: "the managers to log no error",
      timeout: 4 * quietMs,
      interval: 5_000,
      detail: () => errors.slice(0, 10).join("\n"),
    },
  );
}

async function errorsSince(kubeconfig: string, since: number): Promise<readonly string[]> {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const { items } = await (await client.kind<Pod>({ group: "", kind: "Pod" })).list();
  const managers = items.filter(({ spec }) =>
    spec?.containers.some(({ name }) => name === "manager"),
  );
  assert.ok(managers.length > 3, `${managers.length} managers`);
  const logs = await Promise.all(managers.map((pod) => errorsOf(kubeconfig, pod, since)));
  return logs.flat();
}

async function errorsOf(kubeconfig: string, { metadata }: Pod, since: number): Promise<string[]> {
  const { namespace = "", name = "" } = metadata;
  const text = await runCommand(await anyKubectl({}), [
    ...[`--kubeconfig=${kubeconfig}`, "logs", name, `--namespace=${namespace}`],
    ...["--container=manager", `--since-time=${new Date(since).toISOString()}`],
  ]);
  const lines = text.split("\n").filter((line) => line.includes('"level":"error"'));
  return lines.map((line) => `${namespace}/${name}: ${line.slice(0, 500)}`);
}
