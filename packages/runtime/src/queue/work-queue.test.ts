import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@rookery/testing";
import { createExponentialRateLimiter } from "./rate-limiter.ts";
import { createWorkQueue, lowPriority, type WorkQueue } from "./work-queue.ts";

const identity = (item: string) => item;

function setUp() {
  const clock = new FakeClock();
  const rateLimiter = createExponentialRateLimiter(5, 1_000_000);
  return { clock, queue: createWorkQueue({ keyOf: identity, clock, rateLimiter }) };
}

/** Takes and finishes items until none is ready. */
async function drain(queue: WorkQueue<string>): Promise<string[]> {
  const items: string[] = [];
  while (queue.length > 0) {
    const item = (await queue.get()) ?? "";
    items.push(item);
    queue.done(item);
  }
  return items;
}

function addAll(queue: WorkQueue<string>, items: readonly string[], priority?: number): void {
  for (const item of items) queue.add(item, priority);
}

describe("a work queue", () => {
  it("hands out items in the order in which they came, each once", async () => {
    const { queue } = setUp();
    addAll(queue, ["a", "b", "a", "c", "b"]);
    assert.equal(queue.length, 3);
    assert.deepEqual(await drain(queue), ["a", "b", "c"]);
  });

  it("takes two items of one key for the same", async () => {
    const queue = createWorkQueue<{ name: string }>({ keyOf: ({ name }) => name });
    queue.add({ name: "a" });
    queue.add({ name: "a" });
    assert.equal(queue.length, 1);
    assert.deepEqual(await queue.get(), { name: "a" });
    queue.add({ name: "a" });
    assert.equal(queue.length, 0);
    queue.done({ name: "a" });
    assert.equal(queue.length, 1);
  });

  it("never hands out an item that is worked on, and does so after that is done", async () => {
    const { queue } = setUp();
    queue.add("a");
    assert.equal(await queue.get(), "a");
    addAll(queue, ["a", "a", "b"]);
    assert.equal(await queue.get(), "b");
    assert.equal(queue.length, 0);
    queue.done("a");
    assert.deepEqual(await drain(queue), ["a"]);
  });

  it("puts an object that changes all the time behind the rest, every time", async () => {
    const { queue } = setUp();
    const rest = Array.from({ length: 100 }, (_, index) => `object-${index}`);
    addAll(queue, ["hot", ...rest]);
    const seen: string[] = [];
    for (let taken = 0; taken < 102; taken++) {
      const item = (await queue.get()) ?? "";
      queue.add("hot");
      queue.done(item);
      seen.push(item);
    }
    assert.deepEqual(seen, ["hot", ...rest, "hot"]);
  });

  it("wakes a worker that waits", async () => {
    const { queue } = setUp();
    const item = queue.get();
    queue.add("a");
    assert.equal(await item, "a");
  });

  it("gives a worker that waits one item for what is added in the same breath", async () => {
    const { queue } = setUp();
    const item = queue.get();
    addAll(queue, ["a", "a"]);
    assert.equal(await item, "a");
    queue.done("a");
    assert.equal(queue.length, 0);
  });

  it("wakes as many workers as there are items", async () => {
    const { queue } = setUp();
    const items = Promise.all([queue.get(), queue.get(), queue.get()]);
    addAll(queue, ["a", "b", "c"]);
    assert.deepEqual((await items).toSorted(), ["a", "b", "c"]);
  });

  it("ignores the end of work that nobody began", async () => {
    const { queue } = setUp();
    queue.add("a");
    queue.done("a");
    queue.done("b");
    assert.deepEqual(await drain(queue), ["a"]);
  });

  it("works off 10,000 keys with 100 workers, added twice each, never two at once", async () => {
    const { queue } = setUp();
    const keys = Array.from({ length: 10_000 }, (_, index) => `object-${index}`);
    const active = new Set<string>();
    const counts = new Map<string, number>();
    const work = async () => {
      for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
        assert.ok(!active.has(item));
        active.add(item);
        const count = (counts.get(item) ?? 0) + 1;
        counts.set(item, count);
        if (count === 1) queue.add(item);
        await undefined;
        active.delete(item);
        queue.done(item);
      }
    };
    const workers = Array.from({ length: 100 }, work);
    addAll(queue, keys);
    await settled();
    await queue.shutDownWithDrain();
    await Promise.all(workers);
    assert.equal(counts.size, 10_000);
    assert.ok(counts.values().every((count) => count === 2));
  });
});

describe("a delayed add", () => {
  it("waits for its time, with one timer for all", async () => {
    const { queue, clock } = setUp();
    queue.addAfter("late", 2000);
    queue.addAfter("early", 1000);
    queue.addAfter("later", 3000);
    assert.equal(clock.timers, 1);
    await clock.advance(999);
    assert.equal(queue.length, 0);
    await clock.advance(1);
    assert.deepEqual(await drain(queue), ["early"]);
    await clock.advance(2000);
    assert.deepEqual(await drain(queue), ["late", "later"]);
    assert.equal(clock.timers, 0);
  });

  const delays: Record<string, [delays: number[], ready: number]> = {
    "the earliest time stands when a later one is asked for": [[1000, 5000], 1000],
    "the earliest time stands when it is asked for last": [[5000, 1000], 1000],
    "no delay at all is at once": [[5000, 0], 0],
    "a delay below zero is none": [[-1], 0],
    "what is no number is no delay": [[Number.NaN], 0],
    "ten years are waited for": [[315_360_000_000], 315_360_000_000],
  };
  for (const [name, [asked, ready]] of Object.entries(delays)) {
    it(name, async () => {
      const { queue, clock } = setUp();
      for (const delay of asked) queue.addAfter("a", delay);
      if (ready > 0) {
        await clock.advance(ready - 1);
        assert.equal(queue.length, 0);
        await clock.advance(1);
      }
      assert.deepEqual(await drain(queue), ["a"]);
      await clock.advance(10_000);
      assert.equal(queue.length, 0);
    });
  }

  it("waits no longer once the item is added", async () => {
    const { queue, clock } = setUp();
    queue.addAfter("a", 1000);
    queue.add("a");
    assert.deepEqual(await drain(queue), ["a"]);
    await clock.advance(1000);
    assert.equal(queue.length, 0);
  });

  it("does not delay an item that is ready", async () => {
    const { queue, clock } = setUp();
    queue.add("a");
    queue.addAfter("a", 1000);
    assert.deepEqual(await drain(queue), ["a"]);
    await clock.advance(1000);
    assert.equal(queue.length, 0);
  });

  it("of an item that is worked on comes after the work, though its time came before", async () => {
    const { queue, clock } = setUp();
    queue.add("a");
    await queue.get();
    queue.addAfter("a", 1000);
    await clock.advance(2000);
    assert.equal(queue.length, 0);
    queue.done("a");
    assert.deepEqual(await drain(queue), ["a"]);
  });

  it("outlives the work that asked for it", async () => {
    const { queue, clock } = setUp();
    queue.add("a");
    await queue.get();
    queue.addAfter("a", 1000);
    queue.done("a");
    await clock.advance(1000);
    assert.deepEqual(await drain(queue), ["a"]);
  });
});

describe("a rate-limited add", () => {
  it("backs off further with every try, until it is forgotten", async () => {
    const { queue, clock } = setUp();
    for (const delay of [5, 10, 20, 40]) {
      queue.addRateLimited("a");
      await clock.advance(delay - 1);
      assert.equal(queue.length, 0);
      await clock.advance(1);
      assert.deepEqual(await drain(queue), ["a"]);
    }
    assert.equal(queue.numRequeues("a"), 4);
    queue.forget("a");
    assert.equal(queue.numRequeues("a"), 0);
    queue.addRateLimited("a");
    await clock.advance(5);
    assert.deepEqual(await drain(queue), ["a"]);
  });
});

describe("priorities", () => {
  it("the higher goes first, within one the order stays", async () => {
    const { queue } = setUp();
    addAll(queue, ["a", "b"], lowPriority);
    addAll(queue, ["c", "d"]);
    addAll(queue, ["e"], 10);
    assert.deepEqual(await drain(queue), ["e", "c", "d", "a", "b"]);
  });

  it("an item that is added again with a higher one moves to its end", async () => {
    const { queue } = setUp();
    addAll(queue, ["a", "b"], lowPriority);
    addAll(queue, ["c", "b"]);
    queue.add("c", lowPriority);
    assert.deepEqual(await drain(queue), ["c", "b", "a"]);
  });

  it("an item that waits keeps the highest", async () => {
    const { queue, clock } = setUp();
    queue.add("a", 5);
    queue.addAfter("b", 100, 10);
    queue.addAfter("b", 50, 0);
    await clock.advance(50);
    assert.deepEqual(await drain(queue), ["b", "a"]);
  });

  it("a retry keeps that which the item was handed out with", async () => {
    const { queue, clock } = setUp();
    queue.add("low", lowPriority);
    await queue.get();
    queue.addRateLimited("low");
    queue.done("low");
    await clock.advance(5);
    queue.add("normal");
    assert.deepEqual(await drain(queue), ["normal", "low"]);
  });

  it("an item that changed while it was worked on has the new one", async () => {
    const { queue } = setUp();
    queue.add("a", lowPriority);
    await queue.get();
    queue.add("a", lowPriority);
    queue.add("a");
    queue.add("b", -1);
    queue.done("a");
    assert.deepEqual(await drain(queue), ["a", "b"]);
  });

  it("one object that changes all the time does not starve those of low priority", async () => {
    const { queue } = setUp();
    const low = ["a", "b", "c", "d", "e"];
    addAll(queue, low, lowPriority);
    queue.add("hot");
    const seen = new Set<string>();
    for (let taken = 0; taken < 60; taken++) {
      const item = (await queue.get()) ?? "";
      seen.add(item);
      queue.add("hot");
      queue.done(item);
    }
    assert.deepEqual(seen, new Set(["hot", ...low]));
  });
});

describe("a shutdown", () => {
  it("ends every worker at once, and drops what is there and what comes", async () => {
    const { queue, clock } = setUp();
    const waiting = queue.get();
    await settled();
    queue.addAfter("late", 10);
    addAll(queue, ["a", "b"]);
    queue.shutDown();
    assert.equal(await waiting, undefined);
    addAll(queue, ["c"]);
    queue.addAfter("d", 1);
    queue.addRateLimited("e");
    await clock.advance(1000);
    assert.equal(queue.length, 0);
    assert.equal(await queue.get(), undefined);
    assert.equal(clock.timers, 0);
    assert.ok(queue.shuttingDown);
  });

  it("drops what was asked for during the work that goes on", async () => {
    const { queue } = setUp();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.shutDown();
    queue.done("a");
    assert.equal(queue.length, 0);
    assert.equal(await queue.get(), undefined);
  });

  it("with a drain hands out what is ready, and waits until it is done", async () => {
    const { queue } = setUp();
    addAll(queue, ["a", "b"]);
    await queue.get();
    queue.add("a");
    queue.addAfter("late", 10);
    let drained = false;
    const drain = queue.shutDownWithDrain().then(() => {
      drained = true;
    });
    queue.add("c");
    assert.equal(await queue.get(), "b");
    queue.done("b");
    queue.done("a");
    assert.equal(await queue.get(), "a");
    assert.equal(await queue.get(), undefined);
    await settled();
    assert.equal(drained, false);
    queue.done("a");
    await drain;
  });

  it("with a drain ends at once where there is nothing to do", async () => {
    const { queue } = setUp();
    const waiting = queue.get();
    await queue.shutDownWithDrain();
    assert.equal(await waiting, undefined);
  });

  it("cuts a drain short", async () => {
    const { queue } = setUp();
    addAll(queue, ["a", "b"]);
    await queue.get();
    const drained = queue.shutDownWithDrain();
    queue.shutDown();
    await drained;
    assert.equal(await queue.get(), undefined);
  });
});
