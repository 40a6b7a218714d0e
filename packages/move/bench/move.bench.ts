import { move } from "@rookery/move";
import { type Bench, createTemporaryFolder, type Side, type Work } from "@rookery/testing";
import { moveByClusterctl } from "../test/clusterctl.ts";
import { makeFlock } from "../test/flock.ts";
import { ManagementCluster } from "../test/management-cluster.ts";

/** A namespace with many clusters of 11 objects each, moved to another management cluster. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const [source, target] = await Promise.all([
    ManagementCluster.start(),
    ManagementCluster.start(),
  ]);
  stack.use(source);
  stack.use(target);
  const folder = stack.use(await createTemporaryFolder("move-bench")).path;
  let number = 0;
  const prepare = async (clusters: number): Promise<string> => {
    number += 1;
    const namespace = `bench-${number}`;
    await source.makeNamespace(namespace);
    for (let from = 0; from < clusters; from += 10) {
      const names = Array.from({ length: Math.min(10, clusters - from) }, (_, i) => `c${from + i}`);
      await Promise.all(names.map((name) => makeFlock(source.client, namespace, name)));
    }
    return namespace;
  };
  const ours = (clusters: number): Side => ({
    name: "ours",
    round: () =>
      time(prepare(clusters), (namespace) =>
        move({ source: source.client, target: target.client, namespace }),
      ),
  });
  const clusterctl = (clusters: number): Side => ({
    name: "clusterctl",
    round: () =>
      time(prepare(clusters), (namespace) =>
        moveByClusterctl(source.kubernetes, target.kubernetes, { namespace, folder }),
      ),
  });
  const work = (clusters: number, goal: number): Work => ({
    ...{ work: `${clusters} clusters with 11 objects each`, unit: "s", better: "less", goal },
    ...{ ours: ours(clusters), peers: [clusterctl(clusters)] },
  });
  const perObject = (clusters: number, name: string): Side => ({
    name,
    round: async () => ((await ours(clusters).round()) * 1000) / (clusters * 11),
  });
  const linear: Work = {
    ...{ work: "an object of 200 clusters, beside one of 50", unit: "ms", better: "less" },
    ...{ ours: perObject(200, "200 clusters"), peers: [perObject(50, "50 clusters")], goal: 0.7 },
  };
  const owned = stack.move();
  return {
    rounds: 1,
    works: [work(100, 6), work(50, 6), linear],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function time(
  prepared: Promise<string>,
  work: (namespace: string) => Promise<unknown>,
): Promise<number> {
  const namespace = await prepared;
  const start = performance.now();
  await work(namespace);
  return (performance.now() - start) / 1000;
}
