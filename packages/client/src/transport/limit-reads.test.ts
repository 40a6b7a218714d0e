import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpRequest, HttpResponse } from "@rookery/http";
import { request } from "../../test/fake-server.ts";
import { settled } from "../../test/fake-time.ts";
import { limitReads } from "./limit-reads.ts";

/** A server that answers when it is told to, in whatever order. */
function setUp() {
  const pending = new Map<string, PromiseWithResolvers<HttpResponse>>();
  const handler = limitReads(2)(({ path, signal }: HttpRequest) => {
    const asked = Promise.withResolvers<HttpResponse>();
    pending.set(path, asked);
    signal.addEventListener("abort", () => asked.reject(signal.reason));
    return asked.promise;
  });
  const send = (path: string, change: Partial<HttpRequest> = {}) =>
    Promise.resolve(handler(request({ path, ...change })));
  const answer = async (path: string) => {
    pending.get(path)?.resolve({ status: 200, headers: {} });
    pending.delete(path);
    await settled();
  };
  return { pending, send, answer };
}

describe("a limit of reads at a time", () => {
  it("lets one pass for each that was answered, in their order", async () => {
    const { pending, send, answer } = setUp();
    for (const path of ["/0", "/1", "/2", "/3"]) void send(path);
    await settled();
    assert.deepEqual([...pending.keys()], ["/0", "/1"]);
    await answer("/1");
    assert.deepEqual([...pending.keys()], ["/0", "/2"]);
    await answer("/0");
    assert.deepEqual([...pending.keys()], ["/2", "/3"]);
    await answer("/2");
    await answer("/3");
    for (const path of ["/4", "/5", "/6"]) void send(path);
    await settled();
    assert.deepEqual([...pending.keys()], ["/4", "/5"], "as many as before");
  });

  it("lets watches and writes pass", async () => {
    const { pending, send } = setUp();
    for (const path of ["/0", "/1", "/2"]) void send(path);
    void send("/watch", { query: "watch=true" });
    void send("/write", { method: "PATCH" });
    await settled();
    assert.deepEqual([...pending.keys()].sort(), ["/0", "/1", "/watch", "/write"]);
  });

  it("gives the turn of one that is given up to the next, whether it waited or was on its way", async () => {
    const { pending, send } = setUp();
    const [sent, waiting] = [new AbortController(), new AbortController()];
    const first = send("/0", { signal: sent.signal });
    void send("/1");
    const second = send("/2", { signal: waiting.signal });
    void send("/3");
    await settled();
    waiting.abort(new Error("given up"));
    await assert.rejects(second, /given up/);
    sent.abort(new Error("given up"));
    await assert.rejects(first, /given up/);
    await settled();
    assert.ok(pending.has("/3"));
    assert.ok(!pending.has("/2"));
  });
});
