import { builtInResources, isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import { createGarbageCollector } from "../../src/garbage-collector/garbage-collector.ts";
import { findObject, type Kind, kinds, listObjects } from "../../src/workloads/shared/kinds.ts";
import type { Pod, Stored } from "../../src/workloads/shared/objects.ts";
import { createWorkloadControllers } from "../../src/workloads/workload-controllers.ts";
import { type Cluster, startCluster } from "../cluster.ts";

export const namespace = "ns";

/** A cluster with one namespace, without controllers; what plays the kubelet ends with it. */
export async function startEmptyCluster(now?: () => Date): Promise<Cluster> {
  const cluster = await startCluster(now);
  await cluster.create(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    builtInResources.namespaces,
  );
  await cluster.create(
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } },
    builtInResources.serviceAccounts,
  );
  return cluster;
}

/** Runs the workload controllers, and the garbage collector, until it is disposed of. */
export function startControllersOf({ context }: Cluster): AsyncDisposable {
  const stopping = new AbortController();
  const runnables = [createGarbageCollector(context), ...createWorkloadControllers(context)];
  const running = runnables.map((runnable) => runnable.start(stopping.signal));
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** What becomes of a pod, by its image; undefined leaves it alone. */
type Fate = (image: string) => "Running" | "Succeeded" | "Failed" | undefined;

const byProgram: Fate = (image) => {
  const fates = { good: "Running", succeed: "Succeeded", fail: "Failed" } as const;
  return fates[image.split(":")[0] as keyof typeof fates];
};

/** Sees to pods as a kubelet would. */
export function playKubelet(cluster: Cluster, fate: Fate = byProgram): Disposable {
  const { store, client } = cluster;
  const look = (pod: Pod | undefined) => {
    const phase = pod && fate(pod.spec.containers?.[0]?.image ?? "");
    const isDone = pod?.status.phase === phase || pod?.metadata.deletionTimestamp;
    if (pod === undefined || phase === undefined || isDone) return;
    const { name = "" } = pod.metadata;
    const time = new Date().toISOString();
    const ready = { type: "Ready", status: phase === "Running" ? "True" : "False" };
    const conditions = [{ ...ready, lastTransitionTime: `${time.slice(0, 19)}Z` }];
    client
      .resource(kinds.pods.resource)
      .status.patch(
        { namespace, name },
        { type: "merge", patch: { status: { phase, conditions } } },
      )
      .catch((error: unknown) => {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      });
  };
  const subscription = store.watch(kinds.pods.stored, store.revision, ({ entry }) => {
    if (entry) look(entry.object as Pod);
  });
  return { [Symbol.dispose]: () => subscription.close() };
}

export function create<T extends Stored>(
  { client }: Cluster,
  kind: Kind<T>,
  object: object,
): Promise<KubeObject> {
  return client.resource(kind.resource).create(object as KubeObject);
}

export async function patch<T extends Stored>(
  { client }: Cluster,
  kind: Kind<T>,
  { name, change }: { readonly name: string; readonly change: object },
): Promise<void> {
  const key = { namespace, name };
  await client.resource(kind.resource).patch(key, { type: "merge", patch: change });
}

export function get<T extends Stored>({ store }: Cluster, kind: Kind<T>, name: string) {
  return findObject(store, kind, { namespace, name });
}

export function podsIn({ store }: Cluster): Pod[] {
  return listObjects(store, kinds.pods, namespace);
}

/** An object of a workload kind whose pods have one container. */
export function workload(
  kind: Kind<Stored>,
  name: string,
  options: {
    readonly image: string;
    readonly spec?: object;
    readonly pod?: object;
  },
) {
  const { group, version, kind: kindName } = kind.resource;
  const isJob = kindName === "Job";
  const labels = { app: name };
  const containers = [{ name: "main", image: options.image }];
  const restartPolicy = isJob ? { restartPolicy: "Never" } : {};
  return {
    apiVersion: `${group}/${version}`,
    kind: kindName,
    metadata: { name, namespace },
    spec: {
      ...(!isJob && { selector: { matchLabels: labels } }),
      template: { metadata: { labels }, spec: { containers, ...restartPolicy, ...options.pod } },
      ...options.spec,
    },
  };
}

export function withImage(image: string) {
  return { spec: { template: { spec: { containers: [{ name: "main", image }] } } } };
}
