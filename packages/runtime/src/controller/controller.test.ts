import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@rookery/testing";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { AlreadyStartedError, CacheSyncTimeoutError, TerminalError } from "../errors.ts";
import { createExponentialRateLimiter } from "../queue/rate-limiter.ts";
import { type ControllerOptions, createController } from "./controller.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { Request, RequestQueue } from "./request.ts";
import { done, requeue, requeueAfter, stop } from "./result.ts";
import type { Source } from "./source.ts";

const a: Request = { namespace: "ns", name: "a" };
const b: Request = { namespace: "ns", name: "b" };

/** Counts what is reported, by the name of the method and its argument. */
function recordingMetrics() {
  const counts: Record<string, number> = {};
  const count = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  const metrics: ControllerMetrics = {
    queue: {
      depth() {},
      add() {},
      queueDuration() {},
      workDuration() {},
      retry() {},
      unfinishedWork() {},
    },
    maxConcurrentReconciles: (workers) => count("maxConcurrentReconciles", workers),
    activeWorkers: (change) => count("activeWorkers", change),
    reconcileTime: (seconds) => count("reconcileTime", seconds),
    reconcileTotal: (result) => count(`total ${result}`),
    reconcileErrors: () => count("errors"),
    terminalReconcileErrors: () => count("terminal"),
    reconcilePanics: () => count("panics"),
    reconcileTimeouts: () => count("timeouts"),
  };
  return { counts, metrics };
}

/** A running controller whose requests the test adds. */
async function run(options: Pick<ControllerOptions, "reconcile"> & Partial<ControllerOptions>) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const { counts, metrics } = recordingMetrics();
  const { promise, resolve } = Promise.withResolvers<RequestQueue>();
  const controller = createController({
    name: "test",
    clock,
    logger,
    metrics,
    rateLimiter: createExponentialRateLimiter(5, 1_000_000),
    sources: [{ name: "test", start: (queue) => resolve(queue) }],
    ...options,
  });
  const abort = new AbortController();
  const ended = controller.start(abort.signal);
  ended.catch(() => {});
  const queue = await promise;
  await settled();
  const errors = () => logger.lines.filter(({ level }) => level === "error");
  return { controller, clock, logger, errors, counts, queue, ended, abort };
}

describe("what a reconcile returns", () => {
  it("done: nothing follows, and the back-off begins anew", async () => {
    const results = [requeue, requeue, done, requeue, done];
    const times: number[] = [];
    const { clock, queue, counts } = await run({
      reconcile: () => {
        times.push(clock.now());
        return results.shift() ?? done;
      },
    });
    queue.add(a);
    await clock.advance(100);
    queue.add(a);
    await clock.advance(10_000);
    assert.deepEqual(times, [0, 5, 15, 100, 105]);
    assert.equal(counts["total success"], 2);
    assert.equal(counts["total requeue"], 3);
  });

  it("requeueAfter: it comes again after that many seconds, without back-off", async () => {
    const times: number[] = [];
    const { clock, queue, counts } = await run({
      reconcile: () => {
        times.push(clock.now());
        return times.length < 3 ? requeueAfter(30) : done;
      },
    });
    queue.add(a);
    await clock.advance(300_000);
    assert.deepEqual(times, [0, 30_000, 60_000]);
    assert.equal(counts["total requeue_after"], 2);
  });

  it("requeueAfter: the back-off of errors begins anew", async () => {
    const times: number[] = [];
    const { clock, queue } = await run({
      reconcile: () => {
        times.push(clock.now());
        if (times.length === 3) return requeueAfter(1);
        throw new Error("not yet");
      },
    });
    queue.add(a);
    await clock.advance(1020);
    assert.deepEqual(times, [0, 5, 15, 1015, 1020]);
  });

  it("requeueAfter: an event before makes it come at once, and not twice", async () => {
    const times: number[] = [];
    const { clock, queue } = await run({
      reconcile: () => {
        times.push(clock.now());
        return times.length === 1 ? requeueAfter(30) : done;
      },
    });
    queue.add(a);
    await clock.advance(10_000);
    queue.add(a);
    await clock.advance(300_000);
    assert.deepEqual(times, [0, 10_000]);
  });

  it("stop: it does not come again, and counts as a terminal error", async () => {
    let calls = 0;
    const { clock, queue, counts, logger } = await run({
      reconcile: () => {
        calls++;
        return stop("the spec is invalid");
      },
    });
    queue.add(a);
    await clock.advance(1_000_000);
    assert.equal(calls, 1);
    assert.deepEqual([counts.terminal, counts.errors, counts["total error"]], [1, 1, 1]);
    assert.equal(logger.lines.at(-1)?.values.reason, "the spec is invalid");
  });

  it("a time that has passed is as requeue, and what is no time is refused", () => {
    assert.deepEqual(requeueAfter(0), requeue);
    assert.deepEqual(requeueAfter(-5), requeue);
    assert.throws(() => requeueAfter(Number.NaN), RangeError);
    assert.throws(() => requeueAfter(Number.POSITIVE_INFINITY), RangeError);
  });
});

describe("what a reconcile throws", () => {
  it("is logged with the request, counted, and retried with back-off", async () => {
    const times: number[] = [];
    const { clock, queue, counts, errors } = await run({
      reconcile: async () => {
        times.push(clock.now());
        throw new Error("not today");
      },
    });
    queue.add(a);
    await clock.advance(100);
    assert.deepEqual(times, [0, 5, 15, 35, 75]);
    assert.deepEqual([counts.errors, counts["total error"]], [5, 5]);
    const [first] = errors();
    assert.equal(first?.message, "Reconciler error");
    const { reconcileID, ...values } = first?.values ?? {};
    assert.deepEqual(values, { controller: "test", namespace: "ns", name: "a" });
    assert.match(String(reconcileID), /^[0-9a-f-]{36}$/);
  });

  const terminal: Record<string, () => Error> = {
    "a TerminalError is not retried": () => new TerminalError("never"),
    "an error that a TerminalError caused is not retried": () =>
      new Error("could not go on", { cause: new Error("why", { cause: new TerminalError("no") }) }),
  };
  for (const [name, error] of Object.entries(terminal)) {
    it(name, async () => {
      let calls = 0;
      const { clock, queue, counts, errors } = await run({
        reconcile: () => {
          calls++;
          throw error();
        },
      });
      queue.add(a);
      await clock.advance(1_000_000);
      assert.equal(calls, 1);
      assert.equal(errors().length, 1);
      assert.deepEqual([counts.terminal, counts.errors, counts["total error"]], [1, 1, 1]);
    });
  }

  it("does not keep others from being reconciled", async () => {
    const seen: Request[] = [];
    const { queue, clock } = await run({
      reconcile: (request) => {
        if (request === a) throw new Error("always");
        seen.push(request);
        return done;
      },
    });
    queue.add(a);
    queue.add(b);
    await clock.advance(1000);
    assert.deepEqual(seen, [b]);
  });

  it("is retried though it is a mistake in the program, which is counted", async () => {
    let calls = 0;
    const { clock, queue, counts } = await run({
      reconcile: () => {
        calls++;
        throw calls === 1 ? new TypeError("undefined is not a function") : "a string";
      },
    });
    queue.add(a);
    await clock.advance(5);
    assert.equal(calls, 2);
    assert.equal(counts.panics, 2);
  });

  it("ends the controller where it is a mistake and those are not recovered", async () => {
    const { queue, ended, counts } = await run({
      recoverPanics: false,
      // Of fewer, one namespace has only one.
      maxConcurrentReconciles: 3,
      reconcile: (request, signal) => {
        if (request === a) throw new TypeError("undefined is not a function");
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(done)));
      },
    });
    queue.add(b);
    queue.add(a);
    await assert.rejects(ended, TypeError);
    assert.equal(counts.panics, 1);
    assert.equal(counts.activeWorkers, 0);
  });
});

describe("concurrency", () => {
  it("is as many objects at a time as asked for", async () => {
    const running: (() => void)[] = [];
    const { queue, counts } = await run({
      maxConcurrentReconciles: 3,
      reconcile: () => new Promise((resolve) => running.push(() => resolve(done))),
    });
    for (let index = 0; index < 5; index++) queue.add({ name: `object-${index}` });
    await settled();
    assert.equal(running.length, 3);
    assert.deepEqual([counts.activeWorkers, counts.maxConcurrentReconciles], [3, 3]);
    running[0]?.();
    await settled();
    assert.equal(running.length, 4);
  });

  it("does not keep the event loop from turning", async () => {
    let now = 0;
    // Every look at this clock is a millisecond later: work that takes time and waits for nothing.
    const clock = { now: () => now++, setTimer: () => ({ stop() {} }) };
    let calls = 0;
    const { queue, abort, ended } = await run({
      clock,
      reconcile: (request) => {
        calls++;
        queue.add(request === a ? b : a);
        return done;
      },
    });
    queue.add(a);
    await settled();
    const before = calls;
    await settled();
    assert.ok(before > 0 && calls > before && calls < 100, `${before}, ${calls}`);
    abort.abort();
    await ended;
  });
});

describe("what is reported of an object whose reconcile fails", () => {
  it("is each error with its number in a row, before it is tried again", async () => {
    const seen: string[] = [];
    let calls = 0;
    const { queue, clock } = await run({
      reconcile: () => {
        calls++;
        seen.push("reconcile");
        if (calls === 3) return done;
        throw new Error(`failure ${calls}`);
      },
      reportError: async ({ error, attempt, request }) => {
        seen.push(`${request.name}: ${(error as Error).message}, attempt ${attempt}`);
      },
    });
    queue.add(a);
    await clock.advance(100);
    assert.deepEqual(seen, [
      ...["reconcile", "a: failure 1, attempt 1", "reconcile", "a: failure 2, attempt 2"],
      "reconcile",
    ]);
  });

  it("is the timeout, with a signal that is not aborted", async () => {
    const seen: unknown[] = [];
    const { queue, clock } = await run({
      reconcileTimeout: 1000,
      reconcile: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("the request was aborted")));
        }),
      reportError: async ({ error, signal }) => {
        seen.push((error as Error).name, signal.aborted);
      },
    });
    queue.add(a);
    await clock.advance(1000);
    assert.deepEqual(seen, ["ReconcileTimeoutError", false]);
  });

  it("is logged beside the error where it cannot be written", async () => {
    const { queue, errors, counts } = await run({
      reconcile: () => {
        throw new Error("no vCenter");
      },
      reportError: () => Promise.reject(new Error("no API server")),
    });
    queue.add(a);
    await settled();
    assert.deepEqual(
      errors().map(({ message }) => message),
      ["Could not report the error in the conditions of the object", "Reconciler error"],
    );
    assert.equal(counts.errors, 1);
  });

  it("is nothing where a shutdown interrupted it", async () => {
    let reports = 0;
    const { queue, abort, ended } = await run({
      reconcile: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
      reportError: async () => void reports++,
    });
    queue.add(a);
    await settled();
    abort.abort();
    await ended;
    assert.equal(reports, 0);
  });
});

describe("the reconcile timeout", () => {
  it("aborts the signal, and the object is not reconciled again before the end", async () => {
    let calls = 0;
    const signals: AbortSignal[] = [];
    const end = Promise.withResolvers<void>();
    const { queue, clock, counts } = await run({
      reconcileTimeout: 1000,
      maxConcurrentReconciles: 5,
      reconcile: async (_, signal) => {
        calls++;
        signals.push(signal);
        if (calls === 1) await end.promise;
        return done;
      },
    });
    queue.add(a);
    await clock.advance(1000);
    const [signal] = signals;
    assert.match(String(signal?.reason), /could not reconcile ns\/a: it took longer than 1000 ms/);
    assert.equal(counts.timeouts, 1);
    queue.add(a);
    await clock.advance(1000);
    assert.equal(calls, 1);
    end.resolve();
    await clock.advance(0);
    assert.equal(calls, 2);
    assert.equal(signals[1]?.aborted, false);
    assert.equal(clock.timers, 0);
  });
});

describe("a shutdown", () => {
  it("in the middle of a reconcile aborts its signal and waits for it, without an error", async () => {
    const started = Promise.withResolvers<void>();
    const cleanUp = Promise.withResolvers<void>();
    const { queue, abort, ended, errors, counts } = await run({
      reconcile: async (_, signal) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await cleanUp.promise;
        throw signal.reason;
      },
    });
    queue.add(a);
    queue.add(b);
    await started.promise;
    let over = false;
    void ended.then(() => {
      over = true;
    });
    abort.abort();
    await settled();
    assert.equal(over, false);
    cleanUp.resolve();
    await ended;
    assert.deepEqual(errors(), []);
    assert.equal(counts.errors, undefined);
  });

  it("before the start makes it end at once", async () => {
    const controller = createController({ name: "test", reconcile: () => done });
    await controller.start(AbortSignal.abort());
  });

  it("while a source has not synced ends the start without an error", async () => {
    const abort = new AbortController();
    const source: Source = {
      name: "slow",
      start() {},
      waitForSync: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const clock = new FakeClock();
    const controller = createController({
      name: "test",
      clock,
      reconcile: () => done,
      sources: [source],
    });
    const ended = controller.start(abort.signal);
    await settled();
    abort.abort();
    await ended;
    assert.equal(clock.timers, 0);
  });
});

describe("the start", () => {
  it("begins to reconcile when every source has synced", async () => {
    const synced = Promise.withResolvers<void>();
    const seen: Request[] = [];
    const source: Source = {
      name: "slow",
      start: (queue) => queue.add(a),
      waitForSync: () => synced.promise,
    };
    const reconcile = (request: Request) => {
      seen.push(request);
      return done;
    };
    const controller = createController({ name: "test", reconcile, sources: [source] });
    const abort = new AbortController();
    const ended = controller.start(abort.signal);
    await settled();
    assert.deepEqual(seen, []);
    synced.resolve();
    await settled();
    assert.deepEqual(seen, [a]);
    abort.abort();
    await ended;
  });

  const slow: Record<string, Partial<Source>> = {
    "fails where a source does not sync in time": { waitForSync: () => new Promise(() => {}) },
    "fails where a source does not start in time": { start: () => new Promise<void>(() => {}) },
  };
  for (const [name, parts] of Object.entries(slow)) {
    it(name, async () => {
      const clock = new FakeClock();
      const sources = [{ name: "pods", start() {}, ...parts }];
      const controller = createController({ name: "test", clock, reconcile: () => done, sources });
      const ended = controller.start(new AbortController().signal);
      const failed = assert.rejects(
        ended,
        (error) =>
          error instanceof CacheSyncTimeoutError &&
          error.message ===
            "could not start controller test: source pods did not sync within 120000 ms",
      );
      await clock.advance(120_000);
      await failed;
    });
  }

  it("fails with what a source throws", async () => {
    const start = () => {
      throw new Error("no such kind");
    };
    const sources = [{ name: "pods", start }];
    const controller = createController({ name: "test", reconcile: () => done, sources });
    await assert.rejects(controller.start(new AbortController().signal), /no such kind/);
  });

  it("happens once", async () => {
    const { controller } = await run({ reconcile: () => done });
    await assert.rejects(controller.start(new AbortController().signal), AlreadyStartedError);
  });

  it("a source that is added later is started at once", async () => {
    const seen: Request[] = [];
    const { controller } = await run({
      reconcile: (request) => {
        seen.push(request);
        return done;
      },
    });
    await controller.watch({ name: "more", start: (queue) => queue.add(b) });
    await settled();
    assert.deepEqual(seen, [b]);
  });
});
