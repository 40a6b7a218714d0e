import { createClient, createTransport, loadConfig } from "@rookery/client";
import { Context, type Sink, writeBody } from "@rookery/http";
import { namespacesExcludedSelector } from "@rookery/kube";
import type { Kubernetes } from "@rookery/testing";
import { flock, flocks, namespaces, objectCount } from "./flocks.ts";

const path = `/apis/${flocks.group}/v1/${flocks.plural}`;
const instances = 10;
const updates = Math.min(1_000, objectCount);

/** What ten watches cost the server while objects change. */
export interface WatchCost {
  readonly cpuMs: number;
  readonly megabytes: number;
}

/** Ten watches, each of all objects, or without nine tenths of the namespaces, by selector. */
export async function watchCost(
  kubernetes: Kubernetes,
  { excluding, cpuMs }: { readonly excluding: boolean; readonly cpuMs: () => Promise<number> },
): Promise<WatchCost> {
  await using transport = createTransport(await loadConfig({ path: kubernetes.kubeconfig }));
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  const resource = client.resource(flocks);
  const { metadata } = await resource.list({ limit: 1 });
  const stop = new AbortController();
  let bytes = 0;
  let events = 0;
  const sink: Sink = {
    signal: stop.signal,
    drained: async () => {},
    write(chunk) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 0x0a) events++;
      return true;
    },
  };
  const watch = async (instance: number) => {
    const foreign = namespaces.filter((_, index) => index % instances !== instance);
    const selector = excluding ? `&fieldSelector=${namespacesExcludedSelector(foreign)}` : "";
    const query = `watch=1&resourceVersion=${metadata.resourceVersion}${selector}`;
    const { signal } = stop;
    const request = { method: "GET", path, query, headers: {}, signal, context: Context.empty };
    const { body } = await transport.handler(request);
    return Promise.resolve(writeBody(body, sink)).catch(() => {});
  };
  const before = await cpuMs();
  const watches = await Promise.all(
    Array.from({ length: instances }, async (_, instance) => ({ ended: watch(instance) })),
  );
  let next = 0;
  const write = async () => {
    while (next < updates) {
      const { name = "", namespace = "" } = flock(next++).metadata;
      const patch = { metadata: { annotations: { touched: `${performance.now()}` } } };
      await resource.patch({ namespace, name }, { type: "merge", patch });
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  const expected = excluding ? updates : updates * instances;
  while (events < expected) await new Promise((resolve) => setTimeout(resolve, 20));
  const spent = (await cpuMs()) - before;
  stop.abort();
  await Promise.all(watches.map(({ ended }) => ended));
  return { cpuMs: spent, megabytes: bytes / 1e6 };
}
