import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Condition, getCondition, type KubeObject, type Resource } from "@rookery/kube";
import { move, previewMove } from "@rookery/move";
import { clusterApiManager, startClusterApiCore, waitFor, whyUnavailable } from "@rookery/testing";
import { makeSmallFlock, provisioned } from "./flock.ts";
import { dumpAtRest } from "./killed-moves.ts";
import { ManagementCluster, type ManagementPair } from "./management-cluster.ts";

const skip = await whyUnavailable(clusterApiManager);
const coreKind = { apiVersion: "cluster.x-k8s.io/v1beta2" } as const;
const infraMachine = "InfraMachine.infrastructure.cluster.x-k8s.io a";
const cluster = "Cluster.cluster.x-k8s.io a";

/** Cluster API's real core runs at both places, and writes until it is told to pause. */
describe("a move from one real core to another", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let pair: ManagementPair;

  before(async () => {
    pair = stack.use(await ManagementCluster.startPair({ kinds: /./ }));
    for (const { kubernetes } of [pair.source, pair.target]) {
      stack.use(await startClusterApiCore(kubernetes));
    }
  });
  after(() => stack.disposeAsync());

  /** What the core says of the cluster, when it has seen it as it is. */
  const seen = (where: ManagementCluster, namespace: string) =>
    waitFor(
      async () => {
        const found = (await where.dump(namespace))[cluster];
        const { conditions } = (found?.status ?? {}) as { conditions?: readonly Condition[] };
        const paused = getCondition(conditions, "Paused");
        const isSeen = paused?.observedGeneration === found?.metadata.generation;
        return found && isSeen && paused?.status === "False" && found;
      },
      { what: "the core to see the cluster", timeout: 180_000 },
    );

  /** Says that all is provisioned, as often as the core says otherwise: it keeps to it once it has heard. */
  async function settle(namespace: string): Promise<void> {
    const { source, target } = pair;
    const clusters = await source.client.kind({ ...coreKind, kind: "Cluster" });
    const machines = await source.client.kind({ ...coreKind, kind: "Machine" });
    const key = { namespace, name: "a" };
    const say = async () => {
      const status = { nodeRef: { name: "node-a" } };
      await clusters.status.patch(key, { type: "merge", patch: { status: provisioned() } });
      await machines.status.patch(key, { type: "merge", patch: { status } });
    };
    const isReady = async () => {
      await seen(source, namespace);
      const options = { source: source.client, target: target.client, namespace };
      const why = await previewMove(options).catch((error: Error) => error);
      if (!(why instanceof Error)) return true;
      await say();
      return false;
    };
    await waitFor(isReady, { what: "the cluster to be provisioned", timeout: 180_000 });
  }

  /** Has the core look at the machine again and again. */
  async function disturb(namespace: string, signal: AbortSignal): Promise<number> {
    const resource: Resource = {
      group: "infrastructure.cluster.x-k8s.io",
      version: "v1beta2",
      kind: "InfraMachine",
      plural: "inframachines",
      singular: "inframachine",
      namespaced: true,
    };
    const machines = pair.source.client.resource<KubeObject>(resource);
    let times = 0;
    for (; !signal.aborted; times += 1) {
      const patch = { status: { ready: times % 2 === 0, failureReason: `${times}` } };
      // Gone, when it has been moved.
      await machines.status
        .patch({ namespace, name: "a" }, { type: "merge", patch })
        .catch(() => {});
      await delay(20);
    }
    return times;
  }

  it("takes everything along, and the other core goes on where this one stopped", async () => {
    for (let round = 1; round <= 5; round += 1) {
      const namespace = `core-${round}`;
      const { source, target } = pair;
      await source.makeNamespace(namespace);
      await makeSmallFlock(source.client, namespace, "a");
      await settle(namespace);
      const before = await source.dump(namespace);
      const stop = new AbortController();
      const disturbing = disturb(namespace, stop.signal);
      await move({ source: source.client, target: target.client, namespace });
      stop.abort();
      assert.ok((await disturbing) > 2);
      assert.deepEqual(await source.dump(namespace), {});
      await seen(target, namespace);
      const there = await dumpAtRest(target, namespace);
      assert.deepEqual(Object.keys(there).sort(), Object.keys(before).sort());
      const ending = Object.values(there).filter((one) => one.metadata.deletionTimestamp);
      assert.deepEqual(ending, []);
      const { finalizers } = there[infraMachine]?.metadata ?? {};
      assert.deepEqual(finalizers, before[infraMachine]?.metadata.finalizers);
    }
  });
});
