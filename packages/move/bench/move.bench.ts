import { move } from "@rookery/move";
import { type Bench, createTemporaryFolder, type Side, type Work } from "@rookery/testing";
import { moveByClusterctl } from "../test/clusterctl.ts";
import { makeFlock } from "../test/flock.ts";
import { ManagementCluster, type ManagementPair } from "../test/management-cluster.ts";

/** A namespace with many clusters of 11 objects each, moved to another management cluster. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const pair = stack.use(await ManagementCluster.startPair());
  const folder = stack.use(await createTemporaryFolder("move-bench")).path;
  const { source, target } = pair;
  const movers: Readonly<Record<"ours" | "clusterctl", Mover>> = {
    ours: (namespace) => move({ source: source.client, target: target.client, namespace }),
    clusterctl: (namespace) =>
      moveByClusterctl(source.kubernetes, target.kubernetes, { namespace, folder }),
  };
  let number = 0;
  const side = (who: keyof typeof movers, clusters: number, gauge: Gauge): Side => ({
    name: who,
    round: async () => {
      number += 1;
      const namespace = await makeFlocks(source, `bench-${number}`, clusters);
      const before = await gauge(pair);
      await movers[who](namespace);
      return (await gauge(pair)) - before;
    },
  });
  const beside = (clusters: number, unit: string, gauge: Gauge) => ({
    unit,
    better: "less" as const,
    ours: side("ours", clusters, gauge),
    peers: [side("clusterctl", clusters, gauge)] as const,
  });
  const perObject = (clusters: number): Side => ({
    name: `${clusters} clusters`,
    round: async () => (await side("ours", clusters, cpuMilliseconds).round()) / (clusters * 11),
  });
  const linear = (clusters: number): Work => ({
    work: `CPU for an object of ${clusters} clusters, beside one of 50`,
    unit: "ms",
    better: "less",
    ours: perObject(clusters),
    peers: [perObject(50)],
    goal: 0.7,
  });
  const owned = stack.move();
  return {
    rounds: 3,
    works: [
      { work: "100 clusters with 11 objects each", goal: 6, ...beside(100, "s", seconds) },
      { work: "requests, for 20 clusters", ...beside(20, "", requests) },
      { work: "CPU of both API servers, for 20 clusters", ...beside(20, "s", serverSeconds) },
      linear(100),
      linear(200),
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Mover = (namespace: string) => Promise<unknown>;

/** What a round takes is how much more it says afterwards. */
type Gauge = (pair: ManagementPair) => number | Promise<number>;

const seconds: Gauge = () => performance.now() / 1000;
const requests: Gauge = (pair) => metric(pair, "apiserver_request_total");
const serverSeconds: Gauge = (pair) => metric(pair, "process_cpu_seconds_total");

/** Of both API servers and of ours. */
const cpuMilliseconds: Gauge = async (pair) => {
  const { user, system } = process.cpuUsage();
  return (await serverSeconds(pair)) * 1000 + (user + system) / 1000;
};

/** The sum of a metric, over all of its labels and both API servers. */
async function metric({ source, target }: ManagementPair, name: string): Promise<number> {
  const answers = await Promise.all(
    [source, target].map(({ kubernetes }) => kubernetes.request("GET", "/metrics")),
  );
  const lines = answers.flatMap(({ body }) => String(body).split("\n"));
  const values = lines.filter((line) => new RegExp(`^${name}[ {]`).test(line));
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

async function makeFlocks(
  source: ManagementCluster,
  namespace: string,
  clusters: number,
): Promise<string> {
  await source.makeNamespace(namespace);
  for (let from = 0; from < clusters; from += 10) {
    const names = Array.from({ length: Math.min(10, clusters - from) }, (_, i) => `c${from + i}`);
    await Promise.all(names.map((name) => makeFlock(source.client, namespace, name)));
  }
  return namespace;
}
