import assert from "node:assert/strict";
import { test } from "node:test";
import { PretendKubelet, waitFor } from "@rookery/testing";
import type { Cluster } from "../../test/cluster.ts";
import {
  create,
  fateByImage,
  get,
  namespace,
  patch,
  podsIn,
  startControllersOf,
  startEmptyCluster,
  withImage,
  workload,
} from "../../test/workloads/workloads.ts";
import { type Kind, kinds, listObjects } from "./shared/kinds.ts";
import type { Stored } from "./shared/objects.ts";

interface Story {
  readonly kind: Kind<Stored>;
  readonly image: string;
  readonly spec: object;
  /** Begins when the first image is there. */
  readonly update?: string;
  readonly isOver: (status: Counts, cluster: Cluster) => boolean;
}

type Counts = Readonly<Record<string, unknown>>;

const hasAllPods = (image: string, count: number) => (cluster: Cluster) => {
  const pods = podsIn(cluster).filter(({ metadata }) => !metadata.deletionTimestamp);
  return pods.length === count && pods.every(({ spec }) => spec.containers?.[0]?.image === image);
};

const stories: Readonly<Record<string, Story>> = {
  "a Deployment that rolls out": {
    kind: kinds.deployments,
    image: "good:1",
    spec: { replicas: 3 },
    update: "good:2",
    isOver: ({ updatedReplicas, availableReplicas, replicas }) =>
      [updatedReplicas, availableReplicas, replicas].every((count) => count === 3),
  },
  "a StatefulSet that is updated": {
    kind: kinds.statefulSets,
    image: "good:1",
    spec: { replicas: 3, serviceName: "web" },
    update: "good:2",
    isOver: ({
      currentReplicas,
      updatedReplicas,
      readyReplicas,
      currentRevision,
      updateRevision,
    }) =>
      [currentReplicas, updatedReplicas, readyReplicas].every((count) => count === 3) &&
      currentRevision === updateRevision,
  },
  "a DaemonSet that is updated": {
    kind: kinds.daemonSets,
    image: "good:1",
    spec: {},
    update: "good:2",
    isOver: ({ updatedNumberScheduled, numberReady, numberAvailable }) =>
      [updatedNumberScheduled, numberReady, numberAvailable].every((count) => count === 2),
  },
  "a Job that counts its pods": {
    kind: kinds.jobs,
    image: "succeed:1",
    spec: { completions: 4, parallelism: 2 },
    isOver: ({ completionTime }) => completionTime !== undefined,
  },
};

for (const [name, story] of Object.entries(stories)) {
  test(`${name} ends as ever when its controller ends at every write`, async () => {
    const [expected, actual] = await Promise.all([play(story, run), play(story, runInPieces)]);
    assert.deepEqual(actual, expected);
  });
}

type Run = (cluster: Cluster, isOver: () => boolean) => Promise<void>;

/** The objects at the end, without what is random. */
async function play(story: Story, run: Run): Promise<unknown> {
  await using cluster = await startEmptyCluster();
  await using _ = new PretendKubelet(cluster.client, { fateOf: fateByImage });
  for (const node of ["one", "two"]) await createNode(cluster, node);
  const { kind, image, spec, update, isOver } = story;
  await create(cluster, kind, workload(kind, "web", { image, spec }));
  const isAtEnd = () => isOver((get(cluster, kind, "web")?.status ?? {}) as Counts, cluster);
  if (update !== undefined) {
    const hasFirst = hasAllPods(image, kind === kinds.daemonSets ? 2 : 3);
    await run(cluster, () => hasFirst(cluster) && isAtEnd());
    await patch(cluster, kind, { name: "web", change: withImage(update) });
    const hasSecond = hasAllPods(update, kind === kinds.daemonSets ? 2 : 3);
    await run(cluster, () => hasSecond(cluster) && isAtEnd());
  } else await run(cluster, isAtEnd);
  return plain(cluster);
}

async function createNode({ client }: Cluster, name: string): Promise<void> {
  const nodes = client.resource(kinds.nodes.resource);
  await nodes.create({ apiVersion: "v1", kind: "Node", metadata: { name } });
  await nodes.patch({ name }, { type: "merge", patch: { spec: { taints: null } } });
}

const waiting = { what: "the end of the story", interval: 5 };

async function run(cluster: Cluster, isOver: () => boolean): Promise<void> {
  await using _ = startControllersOf(cluster);
  await waitFor(isOver, waiting);
}

/** Ends all controllers after each write that one of them has done, and starts them again. */
async function runInPieces(cluster: Cluster, isOver: () => boolean): Promise<void> {
  const { store } = cluster;
  let pieces = 0;
  await waitFor(
    async () => {
      const wrote = Promise.withResolvers<void>();
      const subscription = store.watch("*", store.revision, ({ entry, previous }) => {
        const resource = (entry ?? previous)?.resource;
        if (resource !== "events") wrote.resolve();
      });
      {
        await using _ = startControllersOf(cluster);
        const idle = setTimeout(wrote.resolve, 200);
        await wrote.promise;
        clearTimeout(idle);
      }
      subscription.close();
      pieces += 1;
      return isOver();
    },
    { ...waiting, detail: () => `after ${pieces} starts` },
  );
}

/** What is left: counts, conditions and pods, but no names by chance and no times. */
function plain({ store }: Cluster): unknown {
  const shown = [kinds.deployments, kinds.replicaSets, kinds.statefulSets, kinds.daemonSets];
  return [...shown, kinds.revisions, kinds.jobs, kinds.pods].map((kind) =>
    listObjects(store, kind as Kind<Stored>, namespace)
      .map(({ metadata, spec, status }) => {
        const { annotations, labels } = metadata;
        const { observedGeneration: _, ...rest } = status as { observedGeneration?: number };
        return JSON.stringify({ annotations, labels, spec, status: rest })
          .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{uid}")
          .replace(/-[a-z0-9]{5}(?=["/])/g, "-{x}")
          .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "{time}")
          .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access");
      })
      .toSorted(),
  );
}
