import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BodyWriter, type HttpResponse, type Sink, writeBody } from "@rookery/http";
import { createTestSink, request } from "../test/handler.ts";
import { endStreams } from "./end-streams.ts";

/** A watch whose events a test sends; it goes on until its reader is gone. */
function createWatch() {
  const begun = Promise.withResolvers<Sink>();
  const body: BodyWriter = (sink) => {
    begun.resolve(sink);
    return new Promise((_, reject) => {
      if (sink.signal.aborted) reject(sink.signal.reason);
      sink.signal.addEventListener("abort", () => reject(sink.signal.reason));
    });
  };
  return { body, send: async (text: string) => (await begun.promise).write(Buffer.from(text)) };
}

async function watch(draining: AbortSignal, query = "watch=true") {
  const upstream = createWatch();
  const response: HttpResponse = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: upstream.body,
  };
  const { body } = await endStreams(draining)(() => response)(request({ query }));
  const sink = createTestSink();
  return { send: upstream.send, sink, ended: Promise.resolve(writeBody(body, sink)) };
}

describe("a watch while the proxy stops", () => {
  it("ends cleanly between two events", async () => {
    const draining = new AbortController();
    const { send, sink, ended } = await watch(draining.signal);
    await send('{"a":1}\n');
    draining.abort();
    await ended;
    assert.equal(sink.text, '{"a":1}\n');
  });

  it("ends cleanly before its first event, also where it begins too late", async () => {
    const { sink, ended } = await watch(AbortSignal.abort());
    await ended;
    assert.equal(sink.text, "");
  });

  it("is given the rest of an event that has begun", async () => {
    const draining = new AbortController();
    const { send, sink, ended } = await watch(draining.signal);
    await send('{"a":');
    draining.abort();
    await send("1}\n");
    await send('{"b":2}\n');
    await ended;
    assert.equal(sink.text, '{"a":1}\n');
  });

  it("breaks off where it breaks off upstream", async () => {
    const lost = new Error("lost");
    const response: HttpResponse = {
      status: 200,
      headers: { "content-type": "application/json" },
      body: () => Promise.reject(lost),
    };
    const { signal } = new AbortController();
    const handler = endStreams(signal)(() => response);
    const { body } = await handler(request({ query: "watch=1" }));
    await assert.rejects(async () => writeBody(body, createTestSink()), lost);
  });

  it("ends upstream when its reader leaves", async () => {
    const { signal } = new AbortController();
    const { sink, ended } = await watch(signal);
    const gone = new Error("gone");
    sink.leave(gone);
    await assert.rejects(ended, gone);
  });

  it("is not there for what ends by itself", async () => {
    const draining = new AbortController();
    const { send, sink, ended } = await watch(draining.signal, "limit=500");
    draining.abort();
    await send("{}\n");
    assert.equal(sink.text, "{}\n");
    sink.leave(new Error("enough"));
    await assert.rejects(ended, /enough/);
  });
});
