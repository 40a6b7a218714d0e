import type { BenchServer } from "./server.ts";

const namespace = "/api/v1/namespaces/default";
const maps = `${namespace}/configmaps`;
let count = 0;

/** An object of 1.7 KB, as most are. */
function objectOf(name: string): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels: { bench: "yes", app: name }, annotations: { note: "x".repeat(200) } },
    data: Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`key-${index}`, "v".repeat(130)]),
    ),
  };
}

/** How much was done in a second, and how much for each second that the server's processors worked. */
export interface Figures {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

/** Measures what makes so much happen. */
async function measured(
  server: BenchServer,
  amount: number,
  work: () => Promise<unknown>,
): Promise<Figures> {
  const [begun, processor] = [performance.now(), server.processorSeconds()];
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const worked = Math.max(server.processorSeconds() - processor, 0.01);
  return { perSecond: amount / seconds, perProcessorSecond: amount / worked };
}

/** Does something so many times, so many at a time, and gives the times in milliseconds. */
async function repeat(
  { times, atATime }: { times: number; atATime: number },
  work: (index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const index = next++;
      const started = performance.now();
      await work(index);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return latencies;
}

/** For seconds: a server that has just rested compiles its code anew, and what it made is not yet to be collected. */
export function creates(server: BenchServer): Promise<Figures> {
  const times = 6000;
  const create = () => server.ask("POST", maps, objectOf(`created-${count++}`));
  return measured(server, times, () => repeat({ times, atATime: 32 }, create));
}

export function gets(server: BenchServer): Promise<Figures> {
  const times = 4000;
  const get = (index: number) =>
    server.ask("GET", `/api/v1/namespaces/listed/configmaps/item-${index % 1000}`);
  return measured(server, times, () => repeat({ times, atATime: 32 }, get));
}

export function lists(server: BenchServer): Promise<Figures> {
  const times = 60;
  const list = () => server.ask("GET", "/api/v1/namespaces/listed/configmaps");
  return measured(server, times, () => repeat({ times, atATime: 4 }, list));
}

/** A namespace with a thousand objects, for gets and lists. */
export async function prepare(server: BenchServer): Promise<void> {
  await server.ask("POST", "/api/v1/namespaces", { metadata: { name: "listed" } });
  await repeat({ times: 1000, atATime: 16 }, (index) =>
    server.ask("POST", "/api/v1/namespaces/listed/configmaps", objectOf(`item-${index}`)),
  );
}

/** Fills the server up to a number of objects. */
export async function fill(server: BenchServer, objects: number): Promise<void> {
  await server.ask("POST", "/api/v1/namespaces", { metadata: { name: "filled" } });
  await repeat({ times: objects, atATime: 32 }, (index) =>
    server.ask("POST", "/api/v1/namespaces/filled/configmaps", objectOf(`filler-${index}`)),
  );
}

/** Events that 500 watchers of one kind hear in a second, for seconds. */
export function fanOut(server: BenchServer): Promise<Figures> {
  return changesTo500(server, 1500);
}

/** The same right after all 500 came, and while those of the round before are let go of. */
export function fanOutBurst(server: BenchServer): Promise<Figures> {
  return changesTo500(server, 100);
}

async function changesTo500(server: BenchServer, changes: number): Promise<Figures> {
  const watchers = 500;
  const stop = new AbortController();
  const path = `/api/v1/namespaces/default/secrets`;
  const { metadata } = JSON.parse(Buffer.from(await server.ask("GET", path)).toString());
  let heard = 0;
  const all = Promise.withResolvers<void>();
  const hear = () => {
    heard++;
    if (heard >= watchers * changes) all.resolve();
  };
  for (let index = 0; index < watchers; index++) {
    await server.watch(
      `${path}?watch=1&resourceVersion=${metadata.resourceVersion}`,
      hear,
      stop.signal,
    );
  }
  const create = () =>
    server.ask("POST", path, {
      ...objectOf(`heard-${count++}`),
      kind: "Secret",
      data: { a: "eA==" },
    });
  const figures = await measured(server, watchers * changes, async () => {
    await repeat({ times: changes, atATime: 8 }, create);
    await all.promise;
  });
  stop.abort();
  return figures;
}

/** The time that 99 of 100 requests stay below, of gets, lists, creates and updates together. */
export async function mixedP99(server: BenchServer): Promise<number> {
  const latencies = await repeat({ times: 2000, atATime: 8 }, (index) => {
    const item = `item-${index % 1000}`;
    const path = "/api/v1/namespaces/listed/configmaps";
    if (index % 20 === 0) return server.ask("GET", `${path}?limit=100`);
    if (index % 5 === 1) return server.ask("PUT", `${path}/${item}`, objectOf(item));
    if (index % 5 === 2) return server.ask("POST", maps, objectOf(`mixed-${count++}`));
    return server.ask("GET", `${path}/${item}`);
  });
  const sorted = latencies.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
