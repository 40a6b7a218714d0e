import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@rookery/testing";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import type { Event, WithMetadata } from "./event.ts";
import { type EventHandler, enqueueRequestForObject } from "./event-handlers.ts";
import { generationChanged } from "./predicates.ts";
import type { RequestQueue } from "./request.ts";
import {
  createEventChannel,
  createEventSource,
  EventSink,
  type EventSinkOptions,
} from "./source.ts";

function created(name: string, version = "1"): Event<WithMetadata> {
  const object = { metadata: { name, resourceVersion: version } };
  return { type: "create", object, isInInitialList: false };
}

function recordingQueue() {
  const added: string[] = [];
  const queue: RequestQueue = {
    add: ({ name }) => void added.push(name),
    addAfter() {},
    addRateLimited() {},
  };
  return { added, queue };
}

function sink(options: Partial<EventSinkOptions<WithMetadata>>) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const abort = new AbortController();
  const { added, queue } = recordingQueue();
  const eventSink = new EventSink({
    handler: enqueueRequestForObject(),
    queue,
    logger,
    clock,
    signal: abort.signal,
    ...options,
  });
  const take = (event: Event<WithMetadata>) => eventSink.take(event);
  return { take, added, queue, clock, logger, abort };
}

/** Fails as often as it is told to, then asks for the object. */
function failing(times: number, seen: string[] = []): EventHandler {
  let left = times;
  return (event, queue) => {
    seen.push(event.type);
    if (left-- > 0) throw new Error("not yet");
    return enqueueRequestForObject()(event, queue);
  };
}

describe("an event sink", () => {
  it("gives the handler what all predicates let through", () => {
    const { take, added } = sink({ predicates: [generationChanged, () => false] });
    take(created("a"));
    const passing = sink({ predicates: [generationChanged, () => true] });
    passing.take(created("a"));
    assert.deepEqual([added, passing.added], [[], ["a"]]);
  });

  it("lets through what a predicate cannot decide, and says so", () => {
    const broken = () => {
      throw new TypeError("no labels");
    };
    const { take, added, logger } = sink({ predicates: [broken] });
    take(created("a"));
    assert.deepEqual(added, ["a"]);
    assert.equal(logger.lines[0]?.message, "Predicate failed");
  });

  it("gives an event again, later and later, to a handler that throws", async () => {
    const { take, added, clock, logger } = sink({ handler: failing(3) });
    take(created("a"));
    await clock.advance(5 + 10);
    assert.deepEqual(added, []);
    await clock.advance(20);
    assert.deepEqual(added, ["a"]);
    assert.equal(logger.lines.length, 3);
    assert.deepEqual(logger.lines[0]?.values, { event: "create", name: "a" });
    await clock.advance(1_000_000);
    assert.deepEqual(added, ["a"]);
  });

  it("does so too where the handler's promise is rejected", async () => {
    let calls = 0;
    const handler: EventHandler = async (event, queue) => {
      if (calls++ === 0) throw new Error("not yet");
      await enqueueRequestForObject()(event, queue);
    };
    const { take, added, clock } = sink({ handler });
    take(created("a"));
    await clock.advance(5);
    assert.deepEqual(added, ["a"]);
  });

  it("goes on with other events meanwhile", () => {
    const { take, added } = sink({ handler: failing(1) });
    take(created("a"));
    take(created("b"));
    assert.deepEqual(added, ["b"]);
  });

  it("keeps the first and the last event of an object, not all of them", async () => {
    const seen: string[] = [];
    const { take, added, clock } = sink({ handler: failing(103, seen) });
    const object = { metadata: { name: "a", resourceVersion: "1" } };
    take(created("a"));
    for (let change = 0; change < 99; change++) {
      take({ type: "update", objectOld: object, objectNew: object });
    }
    take({ type: "delete", object, deleteStateUnknown: false });
    seen.length = 0;
    await clock.advance(5);
    assert.deepEqual(seen, ["create", "delete"]);
    await clock.advance(10);
    assert.deepEqual(seen, ["create", "delete", "create", "delete"]);
    assert.deepEqual(added, ["a", "a"]);
  });

  it("ends with its signal, and leaves no timer", async () => {
    const { take, clock, abort } = sink({ handler: failing(100) });
    take(created("a"));
    abort.abort();
    await settled();
    assert.equal(clock.timers, 0);
  });
});

describe("an event source", () => {
  it("delivers what its subscription gives it", async () => {
    const { added, queue } = recordingQueue();
    const { signal } = new AbortController();
    const source = createEventSource({
      name: "things",
      handler: enqueueRequestForObject(),
      subscribe: (deliver) => deliver(created("a")),
      waitForSync: async () => {},
    });
    await source.start(queue, signal, createRecordingLogger());
    await source.waitForSync?.(signal);
    assert.deepEqual(added, ["a"]);
  });

  it("of a channel delivers what is sent, also before the start", async () => {
    const { added, queue } = recordingQueue();
    const channel = createEventChannel({ name: "things", handler: enqueueRequestForObject() });
    channel.send({ type: "generic", object: { metadata: { name: "early" } } });
    await channel.source.start(queue, new AbortController().signal, createRecordingLogger());
    channel.send({ type: "generic", object: { metadata: { name: "late" } } });
    assert.deepEqual(added, ["early", "late"]);
  });
});
