import { setTimeout as delay } from "node:timers/promises";
import type { Bench, KubernetesOptions, Side, Work } from "@rookery/testing";
import {
  creates,
  type Figures,
  fanOut,
  fanOutBurst,
  fill,
  gets,
  lists,
  mixedP99,
  prepare,
} from "./apiserver/load.ts";
import { type BenchServer, startBenchServer } from "./apiserver/server.ts";

const embedded: KubernetesOptions = { flavour: "embedded" };
const real: KubernetesOptions = { controllerManager: false };
/** After what starting, or filling, took has been let go. */
const untilAtRestMs = 15_000;
const objects = Number(process.env.ROOKERY_BENCH_OBJECTS ?? 20_000);

/**
 * The embedded API server beside kube-apiserver with etcd. The load comes from this process, over
 * TLS on loopback; all share the machine's cores.
 */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const ours = stack.use(await startBenchServer("the embedded server", embedded));
  const peer = stack.use(await startBenchServer("kube-apiserver and etcd", real));
  await delay(untilAtRestMs);
  const empty = [ours.memory(), peer.memory()] as const;
  await Promise.all([prepare(ours), prepare(peer)]);
  const rate = ratesOf(ours, peer);
  const owned = stack.move();
  return {
    rounds: 3,
    works: [
      startToReady(),
      memory("memory when empty", () => empty, { name: "the budget", value: 120 }),
      ...rate("creates of 1.7 KB, 32 at a time", 2, creates),
      ...rate("gets, 32 at a time", 1, gets),
      ...rate("lists of 1,000, 4 at a time", 1, lists),
      ...rate("events to 500 watchers of one kind", 2, fanOut),
      ...rate("events of the first 100 changes after 500 came", undefined, fanOutBurst),
      {
        work: "p99 of gets, lists, creates and updates, 8 at a time",
        unit: "ms",
        better: "less",
        ours: { name: ours.name, round: () => mixedP99(ours) },
        peers: [{ name: peer.name, round: () => mixedP99(peer) }],
        goal: 1,
      },
      filledMemory(),
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Load = (server: BenchServer) => Promise<Figures>;

/**
 * Each load as two works: what is done in a second, which is promised, and what for a second of the
 * server's processors, which a busy machine changes less. One round gives the figures of both.
 */
function ratesOf(ours: BenchServer, peer: BenchServer) {
  return (work: string, goal: number | undefined, load: Load): readonly [Work, Work] => {
    const [byOurs, byPeer] = [twice(ours, load), twice(peer, load)];
    const unit = work.startsWith("events") ? "events" : "req";
    const perSecond: Work = {
      work,
      unit: `${unit}/s`,
      better: "more",
      ...(goal && { goal }),
      ours: byOurs.perSecond,
      peers: [byPeer.perSecond],
    };
    const perProcessorSecond: Work = {
      work: "  by processor time of the server",
      unit: `${unit}/s`,
      better: "more",
      ours: byOurs.perProcessorSecond,
      peers: [byPeer.perProcessorSecond],
    };
    return [perSecond, perProcessorSecond];
  };
}

function twice(server: BenchServer, load: Load): Record<keyof Figures, Side> {
  const kept: number[] = [];
  const run = async () => {
    const { perSecond, perProcessorSecond } = await load(server);
    kept.push(perProcessorSecond);
    return perSecond;
  };
  const { name } = server;
  return {
    perSecond: { name, round: run },
    perProcessorSecond: { name, round: () => kept.shift() ?? Number.NaN },
  };
}

/** Processes of their own, started and ended in each round. */
function startToReady(): Work {
  const round = async (name: string, options: KubernetesOptions) => {
    await using server = await startBenchServer(name, options);
    return server.startMs;
  };
  return {
    work: "start to ready",
    unit: "ms",
    better: "less",
    ours: { name: "the embedded server", round: () => round("ours", embedded) },
    peers: [
      { name: "the budget", round: () => 1000 },
      { name: "kube-apiserver and etcd", round: () => round("peer", real) },
    ],
    goal: 1,
  };
}

function memory(
  work: string,
  measured: () => readonly [number, number],
  budget: { name: string; value: number },
): Work {
  return {
    work,
    unit: "MB",
    better: "less",
    ours: { name: "the embedded server", round: () => measured()[0] },
    peers: [
      { name: budget.name, round: () => budget.value },
      { name: "kube-apiserver and etcd", round: () => measured()[1] },
    ],
    goal: 1,
  };
}

/** Of servers of their own, which have done nothing else, at rest; once, because it is the same each time. */
function filledMemory(): Work {
  const once = (name: string, options: KubernetesOptions): Side => {
    let measured: Promise<number> | undefined;
    const measure = async () => {
      await using server = await startBenchServer(name, options);
      await fill(server, objects);
      await delay(untilAtRestMs);
      return server.memory();
    };
    return { name, round: () => (measured ??= measure()) };
  };
  return {
    work: `memory with ${objects} objects`,
    unit: "MB",
    better: "less",
    ours: once("the embedded server", embedded),
    peers: [once("kube-apiserver and etcd", real)],
    goal: 2,
  };
}
