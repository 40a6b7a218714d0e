import { builtInResources, type KubeObject } from "@rookery/kube";
import type { FateOf } from "@rookery/testing";
import { createGarbageCollector } from "../../src/garbage-collector/garbage-collector.ts";
import { findObject, type Kind, kinds, listObjects } from "../../src/workloads/shared/kinds.ts";
import type { Pod, Stored } from "../../src/workloads/shared/objects.ts";
import { createWorkloadControllers } from "../../src/workloads/workload-controllers.ts";
import { type Cluster, startCluster } from "../cluster.ts";

export const namespace = "ns";

/** A cluster with one namespace, without controllers. */
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

/** Images named "succeed:…" and "fail:…" end, those named "good:…" run, and others cannot be pulled. */
export const fateByImage: FateOf = ([image = ""]) => {
  const fates = { good: "runs", succeed: "succeeds", fail: "fails" } as const;
  return fates[image.split(":")[0] as keyof typeof fates] ?? "waits";
};

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
