import { join } from "node:path";
import type { Client } from "@rookery/client";
import { type ImagePrograms, loadNode } from "@rookery/embedded-node";
import { builtInResources, type Condition, type KubeObject } from "@rookery/kube";
import { createInformer, silentLogger } from "@rookery/runtime";
import { createTemporaryFolder, type Kubernetes, reportProgress, waitFor } from "@rookery/testing";

export const { pods } = builtInResources;

export type Pod = KubeObject<
  { readonly containers: readonly { readonly image: string }[] },
  { readonly podIP?: string; readonly conditions?: readonly Condition[] }
>;

export interface ProcessNodeOptions {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  /** Pods of other images stay unbound. */
  readonly images: ImagePrograms;
}

/**
 * Adds the node of the embedded Kubernetes to an API server that has no scheduler: it runs pods of
 * its images as processes of this machine.
 */
export async function startProcessNode(options: ProcessNodeOptions): Promise<AsyncDisposable> {
  const { kubernetes, client, images } = options;
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTemporaryFolder("process-node"));
  const name = `process-node-${process.pid}`;
  const { hostname, port } = new URL(kubernetes.server);
  const { startNode } = await loadNode();
  const node = await startNode({
    name,
    client,
    images,
    version: kubernetes.version,
    folder: join(path, "node"),
    api: { host: hostname, port: Number(port), ca: () => kubernetes.ca },
    podCidr: `127.72.${process.pid % 256}.0/24`,
    now: () => new Date(),
    logger: silentLogger,
    onError: (error) => reportProgress(`the process node failed: ${error}`),
  });
  stack.use(node);
  stack.use(bindPods(options, name));
  return stack.move();
}

/** Binds pods of known images to a node, as a scheduler would. */
function bindPods(
  { kubernetes, client, images }: ProcessNodeOptions,
  node: string,
): AsyncDisposable {
  const stop = new AbortController();
  const listWatch = client.resource<Pod>(pods);
  const informer = createInformer<Pod>({ resource: pods, listWatch });
  informer.addEventHandler((event) => {
    if (event.type !== "create") return;
    void bind(event.object);
  });
  const running = informer.run(stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };

  /** A busy API server is asked again; other refusals are of pods that are gone or bound. */
  async function bind({ metadata, spec }: Pod): Promise<void> {
    if (!(await images.programOf(spec?.containers[0]?.image ?? ""))) return;
    const { namespace, name, uid } = metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
    const target = { kind: "Node", name: node };
    const body = { apiVersion: "v1", kind: "Binding", metadata: { name, uid }, target };
    const isAnswered = async () => {
      if (stop.signal.aborted) return true;
      const { status } = await kubernetes.request("POST", path, { body });
      return status < 500 && status !== 429;
    };
    await waitFor(isAnswered, { what: `the binding of pod ${name}` });
  }
}
