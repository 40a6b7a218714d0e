import type { Bench, Side } from "@rookery/testing";
import { emptyShard, objectCount, shard } from "./shards/flocks.ts";
import { watchCost } from "./shards/watchers.ts";
import { type How, type ShardsWorld, startShardsWorld } from "./shards/world.ts";

const whole: How = { by: "flag" };
const byFlag: How = { by: "flag", namespaces: shard };
const byProxy: How = { by: "proxy", namespaces: shard };

/**
 * What one of ten instances costs that divide 100 namespaces, beside a single one that has them all, on
 * a real kube-apiserver. An instance is a process, and its proxy another. A run tells several things:
 * those that are not the work at hand are kept for another work.
 */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const world = await startShardsWorld();
  const kept = new Samples();
  return {
    rounds: 3,
    works: [
      {
        work: `memory above idle of one of ten instances, by proxy, ${objectCount} objects`,
        unit: "MB",
        better: "less",
        goal: tenth,
        ours: { name: "by proxy", round: () => growth(world, byProxy, kept) },
        peers: [{ name: "a single instance", round: () => growth(world, whole, kept) }],
      },
      {
        work: "memory above idle of one of ten instances, by flag",
        unit: "MB",
        better: "less",
        goal: tenth,
        ours: { name: "by flag", round: () => growth(world, byFlag, kept) },
        peers: [kept.side("a single instance", whole, "growth")],
      },
      {
        work: "list traffic of one of ten instances",
        unit: "MB",
        better: "less",
        goal: tenth,
        ours: kept.side("by proxy", byProxy, "listed"),
        peers: [kept.side("a single instance", whole, "listed")],
      },
      {
        work: "time to sync one of ten instances",
        unit: "ms",
        better: "less",
        goal: 1 / 1.3,
        ours: kept.side("by proxy", byProxy, "milliseconds"),
        peers: [kept.side("by flag", byFlag, "milliseconds")],
      },
      {
        work: "processor time of the server for ten watches",
        unit: "ms",
        better: "less",
        goal: 1 / 1.05,
        ours: watching(world, excluding, kept),
        peers: [watching(world, unfiltered, kept)],
      },
      {
        work: "bytes of ten watches",
        unit: "MB",
        better: "less",
        goal: 1,
        ours: kept.side(excluding.name, excluding, "megabytes"),
        peers: [kept.side(unfiltered.name, unfiltered, "megabytes")],
      },
    ],
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** At most 12 % of the single one's. */
const tenth = 1 / 0.12;
const excluding = { name: "excluding 90 namespaces each", excluding: true };
const unfiltered = { name: "ten watches of all", excluding: false };
const listedBytes = /^apiserver_response_sizes_sum\{[^}]*resource="flocks"[^}]*verb="LIST"[^}]*\}/;

/** What was measured on the way, to be told later in the same order. */
class Samples {
  readonly #values = new Map<object, Record<string, number>[]>();

  add(of: object, values: Record<string, number>): void {
    this.#values.set(of, [...(this.#values.get(of) ?? []), values]);
  }

  side(name: string, of: object, what: string): Side {
    let next = 0;
    return { name, round: () => this.#values.get(of)?.[next++]?.[what] ?? Number.NaN };
  }
}

async function growth(world: ShardsWorld, how: How, kept: Samples): Promise<number> {
  const idle = await world.run({
    ...how,
    namespaces: how.namespaces ? emptyShard : emptyShard.slice(0, 1),
  });
  const before = await world.counter(listedBytes);
  const { resident, milliseconds } = await world.run(how);
  const listed = ((await world.counter(listedBytes)) - before) / 1e6;
  const above = Math.max(0.1, resident - idle.resident);
  kept.add(how, { growth: above, listed, milliseconds });
  return above;
}

function watching(world: ShardsWorld, how: typeof excluding, kept: Samples): Side {
  const cpuMs = async () => (await world.counter(/^process_cpu_seconds_total/)) * 1000;
  return {
    name: how.name,
    async round() {
      const cost = await watchCost(world.kubernetes, { excluding: how.excluding, cpuMs });
      kept.add(how, { megabytes: cost.megabytes });
      return cost.cpuMs;
    },
  };
}
