import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import type { Kubernetes } from "@rookery/testing";
import { namespaces, nest, nests, nestsCrd, sentAnnotation } from "./nests.ts";
import { now } from "./report.ts";

const writers = 32;

/** Makes so many objects. */
export async function createObjects(kubernetes: Kubernetes, count: number): Promise<void> {
  await kubernetes.applyCrd(nestsCrd);
  for (const name of namespaces) {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await kubernetes.request("POST", "/api/v1/namespaces", { body });
  }
  await using client = await clientOf(kubernetes);
  const resource = client.resource<KubeObject>(nests);
  let next = 0;
  const write = async () => {
    while (next < count) await resource.create(nest(next++));
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/**
 * Updates so many objects a second, each once, for so many seconds, and resolves when all are
 * written. A server that cannot take as many gets no more than it can.
 */
export async function updateObjects(
  kubernetes: Kubernetes,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<void> {
  await using client = await clientOf(kubernetes);
  const resource = client.resource<KubeObject>(nests);
  const started = performance.now();
  let next = 0;
  const write = async () => {
    while (next < rate * seconds) {
      const index = next++;
      await delay(Math.max(0, started + (index * 1000) / rate - performance.now()));
      const { name = "", namespace = "" } = nest(index).metadata;
      const patch = { metadata: { annotations: { [sentAnnotation]: String(now()) } } };
      await resource.patch({ namespace, name }, { type: "merge", patch });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const took = (performance.now() - started) / 1000;
  console.error(`${Math.round((rate * seconds) / took)} updates a second`);
}

async function clientOf({ kubeconfig }: Kubernetes): Promise<Client> {
  return createClient(await loadConfig({ path: kubeconfig }), { userAgent: "informer-bench" });
}
