import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import type { QueueMetrics, UnfinishedWork } from "./queue-metrics.ts";
import { createWorkQueue } from "./work-queue.ts";

function recording() {
  const depths = new Map<number, number>();
  const seen = { adds: 0, retries: 0, queued: [] as number[], worked: [] as number[] };
  let read = (): UnfinishedWork => ({ seconds: Number.NaN, longestSeconds: Number.NaN });
  const metrics: QueueMetrics = {
    depth: (priority, change) => void depths.set(priority, (depths.get(priority) ?? 0) + change),
    add: () => void seen.adds++,
    queueDuration: (seconds) => void seen.queued.push(seconds),
    workDuration: (seconds) => void seen.worked.push(seconds),
    retry: () => void seen.retries++,
    unfinishedWork: (reader) => {
      read = reader;
    },
  };
  const clock = new FakeClock();
  const queue = createWorkQueue<string>({ keyOf: (item) => item, clock, metrics });
  return { queue, clock, depths, seen, unfinished: () => read() };
}

describe("a queue's metrics", () => {
  it("tell how long items are in the queue, and how long the work takes", async () => {
    const { queue, clock, seen } = recording();
    queue.add("a");
    queue.add("a");
    await clock.advance(1500);
    await queue.get();
    await clock.advance(250);
    queue.done("a");
    assert.deepEqual(seen, { adds: 1, retries: 0, queued: [1.5], worked: [0.25] });
  });

  it("count the depth by priority, through changes of it and a shutdown", async () => {
    const { queue, depths } = recording();
    queue.add("a", -100);
    queue.add("b", -100);
    queue.add("a");
    assert.deepEqual(Object.fromEntries(depths), { "-100": 1, "0": 1 });
    await queue.get();
    queue.add("a");
    assert.deepEqual(Object.fromEntries(depths), { "-100": 1, "0": 1 });
    queue.shutDown();
    assert.deepEqual(Object.fromEntries(depths), { "-100": 0, "0": 0 });
  });

  it("count what is added for later as a retry, and as an add when its time has come", async () => {
    const { queue, clock, seen } = recording();
    queue.addAfter("a", 1000);
    queue.addAfter("now", 0);
    assert.deepEqual([seen.retries, seen.adds], [1, 1]);
    await clock.advance(1000);
    assert.deepEqual([seen.retries, seen.adds], [1, 2]);
  });

  it("tell of the work that goes on, in all and the longest, when they are asked", async () => {
    const { queue, clock, unfinished } = recording();
    queue.add("a");
    queue.add("b");
    await queue.get();
    await clock.advance(3000);
    await queue.get();
    await clock.advance(1000);
    assert.deepEqual(unfinished(), { seconds: 5, longestSeconds: 4 });
    queue.done("a");
    queue.done("b");
    assert.deepEqual(unfinished(), { seconds: 0, longestSeconds: 0 });
  });
});
