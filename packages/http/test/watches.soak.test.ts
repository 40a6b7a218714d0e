import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  Context,
  createHttpClient,
  createHttpServer,
  type Handler,
  type Sink,
} from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";

const seconds = Number(process.env.ROOKERY_SOAK_SECONDS ?? 60);
const watchers = 300;

/** Sends the same numbered events to everyone who watches, and knows who does. */
class Events {
  readonly sinks = new Set<Sink>();
  readonly handler: Handler = () => ({
    status: 200,
    headers: {},
    body: (sink) =>
      new Promise((resolve) => {
        this.sinks.add(sink);
        sink.signal.addEventListener("abort", () => {
          this.sinks.delete(sink);
          resolve();
        });
      }),
  });

  send(serial: number): void {
    const event = Buffer.from(`${JSON.stringify({ serial, padding: "x".repeat(200) })}\n`);
    for (const sink of this.sinks) sink.write(event);
  }
}

describe("watches for a long time", () => {
  it("each sees every event from its first to its last, and nothing piles up", async () => {
    const events = new Events();
    const authority = await createCertificateAuthority({ commonName: "soak" });
    const names = { commonName: "localhost", dnsNames: ["localhost"] };
    const leaf = await authority.issue({ ...names, usages: ["server"] });
    const tls = { cert: leaf.certificate, key: leaf.key };
    await using server = createHttpServer({
      handler: events.handler,
      tls,
      onError: assert.ifError,
    });
    await server.listen({ host: "127.0.0.1", port: 0 });
    const origin = `https://localhost:${server.address.port}`;
    await using client = createHttpClient({ origin, tls: { ca: authority.certificate } });

    const stop = AbortSignal.timeout(seconds * 1000);
    const heap: number[] = [];
    const watching = Array.from({ length: watchers }, () => watchAgain(client.handler, stop));
    for (let serial = 1; !stop.aborted; serial++) {
      events.send(serial);
      await delay(20);
      if (serial % 250 === 0) heap.push(process.memoryUsage().heapUsed);
    }
    const watches = await Promise.all(watching);
    assert.ok(watches.every((count) => count > 0));
    await settled(events);
    // The first quarter warms up; after it, the level must not climb.
    const steady = heap.slice(heap.length >> 2);
    const half = steady.length >> 1;
    const lowest = (values: readonly number[]) => Math.min(...values);
    assert.ok(lowest(steady.slice(half)) < lowest(steady.slice(0, half)) * 1.3 + 2 ** 23);
  });
});

/** Watches, leaves after a while, and comes back; returns how often it saw a whole watch. */
async function watchAgain(handler: Handler, stop: AbortSignal): Promise<number> {
  let count = 0;
  while (!stop.aborted) {
    const signal = AbortSignal.any([
      stop,
      AbortSignal.timeout(500 + Math.trunc(Math.random() * 4500)),
    ]);
    await watch(handler, signal);
    count += 1;
  }
  return count;
}

async function watch(handler: Handler, signal: AbortSignal): Promise<void> {
  let last: number | undefined;
  let rest = "";
  const write = (chunk: Uint8Array) => {
    const lines = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { serial } = JSON.parse(line) as { serial: number };
      assert.ok(last === undefined || serial === last + 1, `${serial} came after ${last}`);
      last = serial;
    }
    return true;
  };
  const request = { method: "GET", path: "/", query: "", headers: {}, context: Context.empty };
  try {
    const { body } = await handler({ ...request, signal });
    if (typeof body === "function") await body({ write, drained: async () => {}, signal });
  } catch (error) {
    if (!signal.aborted || error instanceof assert.AssertionError) throw error;
  }
}

async function settled(events: Events): Promise<void> {
  while (events.sinks.size > 0) await delay(10);
}
