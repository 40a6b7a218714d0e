import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createClientOver } from "@rookery/client";
import { builtInResources } from "@rookery/kube";
import { watchReads } from "./watched-reads.ts";

type Handler = Extract<Parameters<typeof createClientOver>[0], (...args: never[]) => unknown>;

interface Sink {
  write(chunk: Uint8Array): boolean;
  readonly signal: AbortSignal;
}

const headers = { "content-type": "application/json" };
const list = { apiVersion: "v1", kind: "ConfigMapList", metadata: {}, items: [] };
const event = `${JSON.stringify({ type: "MODIFIED", object: { metadata: { name: "a" } } })}\n`;

/** A server of which everything can be read, and whose watches are in the hands of the test. */
function scene(watch: (sink: Sink) => Promise<void>, isAllowed = true) {
  const watches: string[] = [];
  const handler: Handler = ({ path, query }) => {
    if (!query.includes("watch=true")) {
      return { status: 200, headers, body: Buffer.from(JSON.stringify(list)) };
    }
    watches.push(path);
    const status = { kind: "Status", status: "Failure", reason: "Forbidden", code: 403 };
    if (!isAllowed) return { status: 403, headers, body: Buffer.from(JSON.stringify(status)) };
    return { status: 200, headers, body: watch };
  };
  const reads = watchReads(createClientOver(handler), { joinMs: 1, againMs: 5 });
  const read = () => reads.client.resource(builtInResources.configMaps).list({ namespace: "team" });
  return { reads, read, watches };
}

const left = ({ signal }: Sink) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

describe("reads that are watched", () => {
  it("are told of once they are watched, and then of each change", async () => {
    const sinks: Sink[] = [];
    const { reads, read, watches } = scene((sink) => {
      sinks.push(sink);
      return left(sink);
    });
    using _ = reads;
    await read();
    await read();
    await reads.changed();
    assert.deepEqual(watches, ["/api/v1/namespaces/team/configmaps"]);
    let hasChanged = false;
    const change = reads.changed().then(() => {
      hasChanged = true;
    });
    await delay(20);
    assert.equal(hasChanged, false);
    sinks[0]?.write(Buffer.from(event));
    await change;
  });

  it("are told of again and again where nobody may watch them", async () => {
    const { reads, read, watches } = scene(left, false);
    using _ = reads;
    await read();
    await reads.changed();
    await reads.changed();
    assert.ok(watches.length >= 2);
  });
});
