import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@rookery/testing";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { aborted } from "../clock/abort.ts";
import {
  AlreadyStartedError,
  GracePeriodExceededError,
  LeadershipLostError,
  ManagerStoppedError,
} from "../errors.ts";
import { createManager, type ManagerOptions } from "./manager.ts";
import type { Runnable, RunnableGroup } from "./runnable.ts";

/** Runs until it is told to stop, and says in the log what happens to it. */
function runnable(name: string, log: string[], parts: Partial<Runnable> = {}): Runnable {
  return {
    name,
    async start(signal) {
      log.push(`start ${name}`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      log.push(`stop ${name}`);
    },
    ...parts,
  };
}

function setUp(options: ManagerOptions = {}) {
  const log: string[] = [];
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const manager = createManager({ clock, logger, ...options });
  const abort = new AbortController();
  const add = (name: string, group: RunnableGroup, parts: Partial<Runnable> = {}) =>
    manager.add(runnable(name, log, { group, ...parts }));
  return { log, clock, logger, manager, abort, add, start: () => manager.start(abort.signal) };
}

/** An election that the test decides. */
function election() {
  const events: string[] = [];
  let decide = { win() {}, lose() {} };
  return {
    events,
    win: () => decide.win(),
    lose: () => decide.lose(),
    async run(signal: AbortSignal, onStarted: () => void): Promise<void> {
      const lost = Promise.withResolvers<never>();
      decide = { win: onStarted, lose: () => lost.reject(new Error("lost")) };
      await Promise.race([aborted(signal), lost.promise]);
      const exceeded = signal.reason instanceof GracePeriodExceededError;
      events.push(exceeded ? "left" : "released");
    },
  };
}

describe("the order", () => {
  it("of the start is servers, webhooks, caches, others, controllers; of the stop the reverse", async () => {
    const { log, add, abort, start, clock } = setUp();
    add("controller", "leaderElection");
    add("other", "others");
    add("cache", "caches");
    add("webhook", "webhooks");
    add("health", "httpServers");
    add("metrics", "httpServers");
    const ended = start();
    await settled();
    const started = ["health", "metrics", "webhook", "cache", "other", "controller"];
    assert.deepEqual(
      log,
      started.map((name) => `start ${name}`),
    );
    log.length = 0;
    abort.abort();
    await ended;
    assert.deepEqual(log, [
      "stop controller",
      "stop other",
      "stop cache",
      "stop webhook",
      "stop health",
      "stop metrics",
    ]);
    assert.equal(clock.timers, 0);
  });

  it("waits for a group to be ready before the next is started", async () => {
    const ready = Promise.withResolvers<void>();
    const { log, add, start } = setUp();
    add("cache", "caches", { waitForReady: () => ready.promise });
    add("controller", "leaderElection");
    void start();
    await settled();
    assert.deepEqual(log, ["start cache"]);
    ready.resolve();
    await settled();
    assert.deepEqual(log, ["start cache", "start controller"]);
  });

  it("waits for a group to end before the next is stopped", async () => {
    const cleanUp = Promise.withResolvers<void>();
    const { log, add, abort, start } = setUp();
    add("cache", "caches");
    add("controller", "leaderElection", { start: () => cleanUp.promise });
    const ended = start();
    await settled();
    abort.abort();
    await settled();
    assert.deepEqual(log, ["start cache"]);
    cleanUp.resolve();
    await ended;
    assert.deepEqual(log, ["start cache", "stop cache"]);
  });

  it("a stop in the middle of the start begins nothing more", async () => {
    const { log, add, abort, start } = setUp();
    const waitForReady = (signal: AbortSignal) =>
      new Promise<void>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    add("cache", "caches", { waitForReady });
    add("controller", "leaderElection");
    const ended = start();
    await settled();
    abort.abort();
    await ended;
    await settled();
    assert.deepEqual(log, ["start cache", "stop cache"]);
  });
});

describe("a runnable", () => {
  it("that fails stops everything, and its error is thrown", async () => {
    const failure = Promise.withResolvers<void>();
    const { log, add, start } = setUp();
    add("cache", "caches");
    add("broken", "others", { start: () => failure.promise });
    const ended = start();
    await settled();
    failure.reject(new Error("the port is taken"));
    await assert.rejects(ended, /the port is taken/);
    assert.deepEqual(log, ["start cache", "stop cache"]);
  });

  it("that fails before it is ready does so too", async () => {
    const { log, add, start } = setUp();
    add("broken", "webhooks", {
      start: () => Promise.reject(new Error("no certificate")),
      waitForReady: () => new Promise(() => {}),
    });
    add("cache", "caches");
    await assert.rejects(start(), /no certificate/);
    assert.deepEqual(log, []);
  });

  it("that never becomes ready fails the start", async () => {
    const { log, add, start } = setUp();
    add("cache", "caches", { waitForReady: () => Promise.reject(new Error("forbidden")) });
    add("controller", "leaderElection");
    await assert.rejects(start(), /forbidden/);
    assert.deepEqual(log, ["start cache", "stop cache"]);
  });

  it("that throws at once is an error as any other", async () => {
    const { add, start } = setUp();
    add("broken", "others", {
      start: () => {
        throw new Error("at once");
      },
    });
    await assert.rejects(start(), /at once/);
  });

  it("that fails while others stop is logged, the first error is thrown", async () => {
    const { add, start, logger } = setUp();
    add("first", "others", { start: () => Promise.reject(new Error("first")) });
    add("second", "others", { start: () => Promise.reject(new Error("second")) });
    add("third", "caches", {
      start: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("third"))),
        ),
    });
    await assert.rejects(start(), /first/);
    const said = logger.lines.filter(({ level }) => level === "error");
    assert.deepEqual(
      said.map(({ error, values }) => [String(error), values.runnable]),
      [
        ["Error: second", "second"],
        ["Error: third", "third"],
      ],
    );
  });

  it("that ends as it was told to is not in the log", async () => {
    const { add, abort, start, logger } = setUp();
    add("polite", "others", {
      start: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const ended = start();
    await settled();
    abort.abort();
    await ended;
    assert.ok(logger.lines.every(({ level }) => level !== "error"));
  });

  it("that ends by itself is no reason to stop", async () => {
    const { log, add, abort, start } = setUp();
    add("short", "others", { start: async () => void log.push("short") });
    add("long", "others");
    const ended = start();
    await settled();
    assert.deepEqual(log, ["short", "start long"]);
    abort.abort();
    await ended;
  });

  it("that is added later is started at once, or with its group", async () => {
    const { log, add, abort, start } = setUp({ leaderElection: election() });
    const ended = start();
    await settled();
    add("late", "others");
    add("controller", "leaderElection");
    await settled();
    assert.deepEqual(log, ["start late"]);
    abort.abort();
    await ended;
    assert.throws(() => add("too late", "others"), ManagerStoppedError);
  });
});

describe("the grace period", () => {
  it("ends the wait for what does not stop, which the error names", async () => {
    const { log, add, abort, start, clock } = setUp();
    add("stuck", "leaderElection", { start: () => new Promise(() => {}) });
    add("cache", "caches");
    const ended = start();
    await settled();
    abort.abort();
    await clock.advance(29_999);
    assert.deepEqual(log, ["start cache"]);
    const failed = assert.rejects(
      ended,
      (error) =>
        error instanceof GracePeriodExceededError &&
        error.message ===
          "could not stop cache, stuck: still running after the grace period of 30000 ms",
    );
    await clock.advance(1);
    await failed;
    assert.deepEqual(log, ["start cache", "stop cache"]);
  });

  it("does not hide the error that made it all stop", async () => {
    const { add, start, clock, logger } = setUp({ gracePeriod: 10 });
    add("stuck", "caches", { start: () => new Promise(() => {}) });
    add("broken", "others", { start: () => Promise.reject(new Error("broken")) });
    const ended = assert.rejects(start(), /broken/);
    await clock.advance(10);
    await ended;
    assert.match(String(logger.lines.at(-1)?.error), /could not stop stuck: still running/);
  });
});

describe("leader election", () => {
  it("is what controllers wait for, and nothing else", async () => {
    const leaderElection = election();
    const { log, add, start } = setUp({ leaderElection });
    add("controller", "leaderElection");
    add("cache", "caches");
    void start();
    await settled();
    assert.deepEqual(log, ["start cache"]);
    leaderElection.win();
    await settled();
    assert.deepEqual(log, ["start cache", "start controller"]);
  });

  it("that is lost stops everything at once and waits for nothing", async () => {
    const leaderElection = election();
    const { log, add, start, clock } = setUp({ leaderElection });
    const signals: AbortSignal[] = [];
    add("stuck", "leaderElection", {
      start: (signal) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    add("cache", "caches");
    const ended = start();
    await settled();
    leaderElection.win();
    await settled();
    leaderElection.lose();
    await assert.rejects(ended, LeadershipLostError);
    assert.equal(signals[0]?.aborted, true);
    assert.deepEqual(log, ["start cache", "stop cache"]);
    assert.equal(clock.timers, 0);
  });

  it("that is lost while everything stops ends the wait", async () => {
    const leaderElection = election();
    const { add, start, abort } = setUp({ leaderElection });
    add("stuck", "leaderElection", { start: () => new Promise(() => {}) });
    const ended = start();
    await settled();
    leaderElection.win();
    await settled();
    abort.abort();
    await settled();
    leaderElection.lose();
    await assert.rejects(ended, LeadershipLostError);
  });

  it("that fails is lost", async () => {
    const cause = new Error("no lease");
    const leaderElection = { run: () => Promise.reject(cause) };
    const { start } = setUp({ leaderElection });
    await assert.rejects(
      start(),
      (error) => error instanceof LeadershipLostError && error.cause === cause,
    );
  });

  it("that ends by itself is lost", async () => {
    const { start } = setUp({ leaderElection: { run: async () => {} } });
    await assert.rejects(start(), LeadershipLostError);
  });

  it("is left, and the lease released, after all has stopped", async () => {
    const leaderElection = election();
    const { add, start, abort } = setUp({ leaderElection });
    const cleanUp = Promise.withResolvers<void>();
    add("controller", "leaderElection", { start: () => cleanUp.promise });
    const ended = start();
    await settled();
    leaderElection.win();
    await settled();
    abort.abort();
    await settled();
    assert.deepEqual(leaderElection.events, []);
    cleanUp.resolve();
    await ended;
    assert.deepEqual(leaderElection.events, ["released"]);
  });

  it("is waited for while it releases the lease, within the grace period", async () => {
    const released = Promise.withResolvers<void>();
    const leaderElection = {
      async run(signal: AbortSignal) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await released.promise;
      },
    };
    const { start, abort, clock } = setUp({ leaderElection });
    let over = false;
    const ended = start().then(() => {
      over = true;
    });
    await settled();
    abort.abort();
    await clock.advance(1000);
    assert.equal(over, false);
    released.resolve();
    await ended;

    const stuck = setUp({ leaderElection: { run: () => new Promise(() => {}) } });
    const failed = assert.rejects(stuck.start(), /could not stop leader election: still running/);
    await settled();
    stuck.abort.abort();
    await stuck.clock.advance(30_000);
    await failed;
  });

  it("keeps the lease where work may still be going on", async () => {
    const leaderElection = election();
    const { add, start, abort, clock } = setUp({ leaderElection });
    add("stuck", "leaderElection", { start: () => new Promise(() => {}) });
    const ended = assert.rejects(start(), GracePeriodExceededError);
    await settled();
    leaderElection.win();
    await settled();
    abort.abort();
    await clock.advance(30_000);
    await ended;
    assert.deepEqual(leaderElection.events, ["left"]);
  });

  it("that is won while everything stops starts nothing", async () => {
    const leaderElection = election();
    const { log, add, start, abort } = setUp({ leaderElection });
    const cleanUp = Promise.withResolvers<void>();
    add("controller", "leaderElection");
    add("slow", "others", { start: () => cleanUp.promise });
    const ended = start();
    await settled();
    abort.abort();
    await settled();
    leaderElection.win();
    cleanUp.resolve();
    await ended;
    assert.deepEqual(log, []);
  });
});

it("a manager is started once", async () => {
  const { start, manager } = setUp();
  void start();
  await assert.rejects(manager.start(new AbortController().signal), AlreadyStartedError);
});

it("a manager whose signal is aborted before the start runs nothing for long", async () => {
  const { add, abort, start, log } = setUp();
  add("controller", "leaderElection");
  abort.abort();
  await start();
  assert.deepEqual(log, []);
});
