import { createClient, loadConfig } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import { startLocalServer } from "@rookery/local";
import { createTemporaryFolder, ensureBinaries, runCommand, waitFor } from "@rookery/testing";
import { createProcessStreams, type ProcessStreams } from "./process-streams.ts";

/** A server with a node of processes, one running pod "web" and one that nobody runs. */
export interface StreamingScene extends AsyncDisposable {
  readonly streams: ProcessStreams;
  readonly kubeconfig: string;
  /** The path of the program. */
  readonly kubectlPath: string;
  kubectl(
    args: readonly string[],
    options?: { readonly stdin?: string; readonly env?: NodeJS.ProcessEnv },
  ): Promise<string>;
  readonly errors: readonly unknown[];
}

export async function startStreamingScene(): Promise<StreamingScene> {
  await using stack = new AsyncDisposableStack();
  const { kubectl } = await ensureBinaries(["kubectl"]);
  const folder = stack.use(await createTemporaryFolder("streaming"));
  const streams = stack.use(createProcessStreams());
  const errors: unknown[] = [];
  const server = stack.use(
    await startLocalServer({
      data: folder.path,
      port: 0,
      podStreams: () => streams,
      onError: (error) => errors.push(error),
    }),
  );
  streams.start("app", [
    "sh",
    "-c",
    'echo one; echo two; while read line; do echo "said $line"; done',
  ]);
  const { kubeconfig = "" } = server;
  await createPods(kubeconfig);
  const owned = stack.move();
  return {
    streams,
    errors,
    kubeconfig,
    kubectlPath: kubectl,
    kubectl: (args, options = {}) =>
      runCommand(kubectl, ["--kubeconfig", kubeconfig, ...args], {
        ...options,
        env: { ...process.env, ...options.env },
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const namespace = "default";
const address = "127.64.0.1";
const resourceOf = (kind: string, namespaced: boolean): Resource => {
  const singular = kind.toLowerCase();
  return { group: "", version: "v1", kind, plural: `${singular}s`, singular, namespaced };
};

async function createPods(kubeconfig: string): Promise<void> {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const pods = client.resource<KubeObject>(resourceOf("Pod", true));
  await client.resource(resourceOf("Node", false)).create(nodeObject);
  // Not before the namespace has its service account.
  const web = await waitFor(
    () => pods.create(podObject("web", ["app"], "here")).catch(() => undefined),
    {
      what: "a pod",
    },
  );
  await pods.status.update({ ...web, status: runningStatus });
  await pods.create(podObject("two", ["app", "side"], "here"));
  await pods.create(podObject("waiting", ["app"]));
  await pods.create(podObject("elsewhere", ["app"], "nowhere"));
}

const nodeObject = { apiVersion: "v1", kind: "Node", metadata: { name: "here" } };

function podObject(name: string, containers: readonly string[], nodeName?: string): KubeObject {
  const spec = {
    containers: containers.map((each) => ({ name: each, image: each })),
    ...(nodeName && { nodeName }),
  };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace }, spec };
}

const runningStatus = {
  phase: "Running",
  podIP: address,
  podIPs: [{ ip: address }],
  containerStatuses: [
    {
      name: "app",
      ready: true,
      restartCount: 0,
      image: "app",
      imageID: "app",
      state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
    },
  ],
};
