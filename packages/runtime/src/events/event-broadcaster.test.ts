import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  alreadyExistsError,
  forbiddenError,
  type KubeObject,
  notFoundError,
  serviceUnavailableError,
} from "@rookery/kube";
import { FakeClock } from "@rookery/testing";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import type { KubeEvent } from "./event.ts";
import { createEventBroadcaster } from "./event-broadcaster.ts";
import type { EventOptions } from "./make-event.ts";

const resource = { group: "events.k8s.io", resource: "events" };

const cluster: KubeObject = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "prod", namespace: "team-a", uid: "u1", resourceVersion: "7" },
};

/** A server of events, a broadcaster and a recorder. */
class World {
  readonly clock = new FakeClock();
  readonly logger = createRecordingLogger();
  readonly stop = new AbortController();
  readonly stored = new Map<string, KubeEvent>();
  writes = 0;
  failure: (() => Error) | undefined;
  answerLost = false;
  readonly broadcaster = createEventBroadcaster({
    events: {
      create: async (event, { signal }) => {
        this.#begin(signal);
        const name = event.metadata.name ?? "";
        if (this.stored.has(name)) throw alreadyExistsError(resource, name);
        this.stored.set(name, event);
        this.#end();
        return event;
      },
      patch: async ({ name }, { patch }, { signal }) => {
        this.#begin(signal);
        const event = this.stored.get(name);
        if (!event) throw notFoundError(resource, name);
        const patched = { ...event, ...patch };
        this.stored.set(name, patched);
        this.#end();
        return patched;
      },
    },
    clock: this.clock,
    wallClock: () => new Date(Date.UTC(2030, 0, 1) + this.clock.now()),
    logger: this.logger,
    random: () => 0,
  });
  readonly recorder = this.broadcaster.recorder("rookery.dev/core");
  ended: Promise<void> | undefined;

  start(): void {
    this.ended = this.broadcaster.start(this.stop.signal);
  }

  tell(options: Partial<EventOptions> = {}, object = cluster): void {
    const event = { type: "Warning", reason: "Failed", note: "no luck", ...options } as const;
    this.recorder.event(object, event);
  }

  get events(): KubeEvent[] {
    return [...this.stored.values()];
  }

  #begin(signal: AbortSignal): void {
    this.writes += 1;
    signal.throwIfAborted();
    if (this.failure) throw this.failure();
  }

  #end(): void {
    if (!this.answerLost) return;
    this.answerLost = false;
    throw new Error("socket hang up");
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  world.stop.abort();
  await world.clock.advance(60_000);
  await world.ended;
  assert.equal(world.clock.timers, 0);
});

describe("an event", () => {
  it("is written as an events.k8s.io/v1 Event", async () => {
    world.start();
    world.tell({ action: "Delete", related: { apiVersion: "v1", kind: "Secret", name: "s" } });
    await world.clock.advance(0);
    const [event] = world.events;
    assert.ok(event);
    const { metadata, reportingInstance, ...rest } = event;
    assert.equal(metadata.namespace, "team-a");
    assert.match(metadata.name ?? "", /^prod\.[0-9a-f]{16}$/);
    assert.match(reportingInstance, /^rookery\.dev\/core-./);
    assert.deepEqual(rest, {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      eventTime: "2030-01-01T00:00:00.000000Z",
      reportingController: "rookery.dev/core",
      action: "Delete",
      reason: "Failed",
      regarding: {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        namespace: "team-a",
        name: "prod",
        uid: "u1",
        resourceVersion: "7",
      },
      related: { apiVersion: "v1", kind: "Secret", name: "s" },
      note: "no luck",
      type: "Warning",
    });
  });

  it("that is told before the start waits for it", async () => {
    world.tell();
    world.start();
    await world.clock.advance(0);
    assert.equal(world.events.length, 1);
  });

  it("about an object without a namespace is written to default", async () => {
    world.start();
    world.tell({}, { ...cluster, metadata: { name: "Node_1" } });
    await world.clock.advance(0);
    assert.equal(world.events[0]?.metadata.namespace, "default");
    assert.match(world.events[0]?.metadata.name ?? "", /^[0-9a-f]{8}-/);
  });

  it("is cut to 1024 bytes, between characters", async () => {
    world.start();
    world.tell({ note: "é".repeat(1000) });
    await world.clock.advance(0);
    assert.equal(world.events[0]?.note, `${"é".repeat(510)}...`);
  });
});

describe("events that are told again", () => {
  it("become a series, which is written at its second time and when it has ended", async () => {
    world.start();
    for (let i = 0; i < 5; i++) {
      world.tell({}, { ...cluster, metadata: { ...cluster.metadata, resourceVersion: `${i}` } });
      await world.clock.advance(10_000);
    }
    assert.equal(world.events.length, 1);
    assert.equal(world.writes, 2);
    assert.deepEqual(world.events[0]?.series, {
      count: 2,
      lastObservedTime: "2030-01-01T00:00:10.000000Z",
    });
    await world.clock.advance(400_000);
    assert.equal(world.writes, 3);
    assert.deepEqual(world.events[0]?.series, {
      count: 5,
      lastObservedTime: "2030-01-01T00:00:40.000000Z",
    });
    world.tell();
    await world.clock.advance(0);
    assert.equal(world.events.length, 2, "a series that has ended is not gone on with");
  });

  it("are written every half hour while they last, anew where the server has forgotten", async () => {
    world.start();
    for (let minute = 0; minute < 40; minute++) {
      world.tell();
      await world.clock.advance(60_000);
      if (minute === 20) world.stored.clear();
    }
    assert.equal(world.writes, 4);
    assert.equal(world.events.length, 1);
    assert.ok((world.events[0]?.series?.count ?? 0) > 30);
  });

  it("are flushed when the process stops", async () => {
    world.start();
    for (let i = 0; i < 7; i++) {
      world.tell();
      await world.clock.advance(0);
    }
    assert.equal(world.events[0]?.series?.count, 2);
    world.stop.abort();
    await world.ended;
    assert.equal(world.events[0]?.series?.count, 7);
  });

  it("before the first is written are written with it", async () => {
    for (let i = 0; i < 3; i++) world.tell();
    world.start();
    await world.clock.advance(0);
    assert.equal(world.writes, 1);
    assert.equal(world.events[0]?.series?.count, 3);
  });

  it("are told apart by note, until there are too many notes", async () => {
    world.start();
    for (let i = 1; i <= 15; i++) world.tell({ note: `try ${i}` });
    await world.clock.advance(0);
    assert.equal(world.events.length, 10);
    const combined = world.events.at(-1);
    assert.equal(combined?.note, "(combined from similar events): try 10");
    assert.equal(combined?.series?.count, 6);
  });
});

describe("too many events", () => {
  it("about one object are dropped, those about others are not", async () => {
    world.start();
    for (let i = 0; i < 40; i++) world.tell({ reason: `Reason${i}` });
    world.tell({}, { ...cluster, metadata: { ...cluster.metadata, uid: "u2" } });
    await world.clock.advance(0);
    assert.equal(world.events.length, 26);
    await world.clock.advance(300_000);
    world.tell({ reason: "Later" });
    world.tell({ reason: "TooEarly" });
    await world.clock.advance(0);
    assert.deepEqual(
      world.events.slice(26).map(({ reason }) => reason),
      ["Later"],
    );
  });

  it("that wait for the server are dropped, and nothing blocks", async () => {
    for (let i = 0; i < 1200; i++) {
      world.tell({}, { ...cluster, metadata: { ...cluster.metadata, uid: `u${i}` } });
    }
    world.start();
    await world.clock.advance(0);
    assert.equal(world.events.length, 1000);
  });
});

describe("a server that fails", () => {
  it("is tried again, and nothing is lost or told twice", async () => {
    world.failure = () => serviceUnavailableError("overloaded");
    world.start();
    world.tell();
    world.tell({ reason: "Other" });
    await world.clock.advance(25_000);
    assert.equal(world.writes, 3);
    world.failure = undefined;
    await world.clock.advance(10_000);
    assert.deepEqual(
      world.events.map(({ reason }) => reason),
      ["Failed", "Other"],
    );
  });

  it("is given up after twelve tries", async () => {
    world.failure = () => new Error("connect ECONNREFUSED");
    world.start();
    world.tell();
    await world.clock.advance(1_000_000);
    assert.equal(world.writes, 12);
    world.failure = undefined;
    world.tell();
    await world.clock.advance(0);
    assert.equal(world.events.length, 1);
  });

  it("whose answer was lost has the event all the same", async () => {
    world.answerLost = true;
    world.start();
    world.tell();
    world.tell();
    await world.clock.advance(10_000);
    world.tell();
    await world.clock.advance(0);
    assert.equal(world.events.length, 1);
    assert.equal(world.events[0]?.series?.count, 2);
  });

  it("that refuses an event is not asked again, and a reconcile never notices", async () => {
    world.failure = () => forbiddenError(resource, "", "not allowed");
    world.start();
    world.tell();
    await world.clock.advance(0);
    world.tell();
    await world.clock.advance(60_000);
    assert.equal(world.writes, 1);
    const errors = world.logger.lines.filter(({ level }) => level === "error");
    assert.equal(errors[0]?.message, "Event refused");
  });

  it("does not keep a process from ending", async () => {
    world.failure = () => new Error("connect ECONNREFUSED");
    world.start();
    world.tell();
    await world.clock.advance(1_000);
    world.stop.abort();
    await world.clock.advance(0);
    await world.ended;
    assert.equal(world.writes, 2);
  });
});
