import { Context, collectBody, type Handler, type HttpRequest } from "@rookery/http";
import type { Bench, Side, Work } from "@rookery/testing";
import { virtualGroup, widget } from "./proxy/bodies.ts";
import { type BenchProxy, type BenchWorld, startBenchWorld } from "./proxy/start.ts";

const base = `/apis/${virtualGroup}/v1/namespaces/default/widgets`;
const getWidget: Partial<HttpRequest> = { path: `${base}/a` };
const getPod: Partial<HttpRequest> = { path: "/api/v1/namespaces/default/pods/a" };
const listWidgets: Partial<HttpRequest> = { path: base };
const updateWidget: Partial<HttpRequest> = {
  method: "PUT",
  path: `${base}/a`,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify({ ...widget("a"), apiVersion: `${virtualGroup}/v1` })),
};

/**
 * What renaming costs in the proxy, beside the same proxy without a mapping. Client, proxies and API
 * server are processes of their own, which speak TLS on loopback; all share the machine's cores.
 */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const world = await startBenchWorld();
  const { renaming, raw } = world;
  const rate = (work: string, request: Partial<HttpRequest>, load: Load): Work => ({
    work: `${work}, ${load.atATime} at a time`,
    unit: "req/s",
    better: "more",
    ours: asking(renaming, { request, ...load }),
    peers: [asking(raw, { request, ...load })],
    goal: 0.5,
  });
  const cpu = (work: string, request: Partial<HttpRequest>, load: Load): Work => ({
    work: `processor time of the proxy to ${work}`,
    unit: "ms",
    better: "less",
    ours: spending(renaming, { request, ...load }),
    peers: [spending(raw, { request, ...load })],
  });
  const load = { atATime: 32, requests: 3000 };
  const lists = { atATime: 4, requests: 100 };
  return {
    rounds: 5,
    works: [
      addedLatency(world),
      rate("get a custom resource", getWidget, load),
      rate("get a Pod, which nothing is renamed in", getPod, load),
      rate("update a custom resource", updateWidget, load),
      rate("list 500 custom resources of 1.2 MB", listWidgets, lists),
      cpu("get a custom resource", getWidget, load),
      cpu("list 500 of them", listWidgets, lists),
    ],
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

interface Load {
  readonly atATime: number;
  readonly requests: number;
}

/** One after another: what a single request takes longer because it is renamed. */
function addedLatency({ renaming, raw }: BenchWorld): Work {
  const count = 1000;
  return {
    work: "added p50 of a get, one at a time",
    unit: "ms",
    better: "less",
    ours: {
      name: "renaming less raw pass-through",
      async round() {
        const times: [number[], number[]] = [[], []];
        for (let i = 0; i < count; i++) {
          times[0].push(await timed(renaming.handler, getWidget));
          times[1].push(await timed(raw.handler, getWidget));
        }
        return Math.max(0.001, median(times[0]) - median(times[1]));
      },
    },
    peers: [{ name: "the budget", round: () => 0.5 }],
    goal: 1,
  };
}

type Asking = Load & { readonly request: Partial<HttpRequest> };

function asking({ name, handler }: BenchProxy, asked: Asking): Side {
  return {
    name,
    async round() {
      const started = performance.now();
      await askAll(handler, asked);
      return asked.requests / ((performance.now() - started) / 1000);
    },
  };
}

/** Unlike rates, this hardly depends on what else the machine does. */
function spending({ name, handler, cpuMs }: BenchProxy, asked: Asking): Side {
  return {
    name,
    async round() {
      const before = await cpuMs();
      await askAll(handler, asked);
      return ((await cpuMs()) - before) / asked.requests;
    },
  };
}

async function askAll(handler: Handler, { request, atATime, requests }: Asking): Promise<void> {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) await ask(handler, request);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

async function timed(handler: Handler, request: Partial<HttpRequest>): Promise<number> {
  const started = performance.now();
  await ask(handler, request);
  return performance.now() - started;
}

async function ask(handler: Handler, parts: Partial<HttpRequest>): Promise<void> {
  const { signal } = new AbortController();
  const context = Context.empty;
  const response = await handler({
    method: "GET",
    path: "/",
    query: "",
    headers: {},
    signal,
    context,
    ...parts,
  });
  await collectBody(response.body, { limit: 1 << 24 });
  if (response.status !== 200) throw new Error(`could not ask: the answer is ${response.status}`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
