import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InformerFixture } from "../../test/cache/informer.ts";
import { enqueueRequestForObject } from "../controller/event-handlers.ts";
import type { Request, RequestQueue } from "../controller/request.ts";
import { silentLogger } from "../logging/logger.ts";
import { createInformerSource } from "./informer-source.ts";

function recordingQueue() {
  const added: Request[] = [];
  const queue: RequestQueue = {
    add: (request) => void added.push(request),
    addAfter() {},
    addRateLimited() {},
  };
  return { added, queue };
}

describe("an informer's source", () => {
  it("adds a request for each object and each change, until it is stopped", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    const { informer } = fixture;
    const source = createInformerSource({ informer, handler: enqueueRequestForObject() });
    assert.equal(source.name, "kind source: Nest.test.rookery.dev");
    const { added, queue } = recordingQueue();
    const stop = new AbortController();
    await source.start(queue, stop.signal, silentLogger);
    await source.waitForSync?.(stop.signal);
    assert.deepEqual(added, [{ namespace: "default", name: "a" }]);
    fixture.server.put("b");
    await fixture.settle();
    stop.abort();
    fixture.server.put("c");
    await fixture.settle();
    assert.deepEqual(
      added.map(({ name }) => name),
      ["a", "b"],
    );
  });

  it("has synced only when the informer has", async () => {
    await using fixture = new InformerFixture();
    const { informer } = fixture;
    const source = createInformerSource({ informer, handler: enqueueRequestForObject() });
    const { signal } = new AbortController();
    await source.start(recordingQueue().queue, signal, silentLogger);
    let synced = false;
    void source.waitForSync?.(signal).then(() => {
      synced = true;
    });
    await fixture.settle();
    assert.equal(synced, false);
    await fixture.start();
    assert.equal(synced, true);
  });
});
