import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@rookery/testing";
import { createWorkQueue, lowPriority, type WorkQueue } from "./work-queue.ts";

/** "tenant/server/name" is of the tenant and its server. */
const pathOf = (item: string) => item.split("/").slice(0, -1);

function setUp(workers: number) {
  const clock = new FakeClock();
  const fairness = { pathOf, workers };
  return createWorkQueue<string>({ keyOf: (item) => item, clock, fairness });
}

/** As many workers as there are take what they get, and keep it. */
async function takeAll(queue: WorkQueue<string>, workers: number): Promise<string[]> {
  const taken: string[] = [];
  for (let worker = 0; worker < workers; worker++) {
    void queue.get().then((item) => item !== undefined && taken.push(item));
  }
  await settled();
  return taken;
}

function addMany(queue: WorkQueue<string>, path: string, count: number, priority = 0): void {
  for (let index = 0; index < count; index++) queue.add(`${path}/${index}`, priority);
}

const count = (items: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const path = pathOf(item).join("/");
    counts[path] = (counts[path] ?? 0) + 1;
  }
  return counts;
};

describe("workers that are shared", () => {
  it("go to paths in turn, however many items one has", async () => {
    const queue = setUp(1);
    addMany(queue, "a", 3);
    addMany(queue, "b", 2);
    addMany(queue, "c", 1);
    const order: string[] = [];
    while (queue.length > 0) {
      const item = (await queue.get()) ?? "";
      order.push(item);
      queue.done(item);
    }
    assert.deepEqual(order, ["a/0", "b/0", "c/0", "a/1", "b/1", "a/2"]);
  });

  it("are never all held by one path, and each that comes finds one", async () => {
    const queue = setUp(10);
    addMany(queue, "a", 40);
    const taken = await takeAll(queue, 10);
    assert.deepEqual(count(taken), { a: 5 });
    for (const path of ["b", "c", "d"]) {
      addMany(queue, path, 40);
      await settled();
    }
    assert.deepEqual(count(taken), { a: 5, b: 3, c: 1, d: 1 });
    assert.equal(queue.length, 160 - 10);
  });

  it("go to a path again as soon as one is free", async () => {
    const queue = setUp(4);
    addMany(queue, "a", 10);
    const taken = await takeAll(queue, 4);
    assert.equal(taken.length, 2);
    for (let index = 0; index < 8; index++) {
      queue.done(taken[index] ?? "");
      void queue.get().then((item) => item !== undefined && taken.push(item));
      await settled();
    }
    assert.deepEqual(new Set(taken).size, 10);
    assert.equal(queue.length, 0);
  });

  it("go to whoever waited for a share that another path gives back", async () => {
    const queue = setUp(3);
    queue.add("b/0");
    const taken = await takeAll(queue, 3);
    addMany(queue, "a", 3);
    await settled();
    assert.deepEqual(count(taken), { b: 1, a: 1 });
    queue.done("b/0");
    await settled();
    assert.deepEqual(count(taken), { b: 1, a: 2 });
  });

  it("are shared within a path as between paths", async () => {
    const queue = setUp(10);
    addMany(queue, "team/dripping", 40);
    const taken = await takeAll(queue, 10);
    assert.deepEqual(count(taken), { "team/dripping": 3 });
    addMany(queue, "team/honest", 1);
    addMany(queue, "other/honest", 1);
    await settled();
    assert.equal(count(taken)["team/honest"], 1);
    assert.equal(count(taken)["other/honest"], 1);
  });

  it("go to one worker's only path as before", async () => {
    const queue = setUp(1);
    addMany(queue, "a", 3);
    const taken = await takeAll(queue, 1);
    assert.deepEqual(taken, ["a/0"]);
  });

  it("still go to what is more urgent first, and to what waits longest now and then", async () => {
    const queue = setUp(1);
    addMany(queue, "b", 2, lowPriority);
    addMany(queue, "a", 15);
    const order: string[] = [];
    while (queue.length > 0) {
      const item = (await queue.get()) ?? "";
      order.push(item);
      queue.done(item);
    }
    assert.equal(order.indexOf("b/0"), 9);
    assert.equal(order.at(-1), "b/1");
  });

  it("go to what is less urgent where the share of what is more urgent is used up", async () => {
    const queue = setUp(4);
    addMany(queue, "a", 10);
    addMany(queue, "b", 1, lowPriority);
    assert.deepEqual(count(await takeAll(queue, 4)), { a: 2, b: 1 });
  });

  it("are given all that is left when the queue is drained", async () => {
    const queue = setUp(4);
    addMany(queue, "a", 6);
    const taken = await takeAll(queue, 4);
    const drained = queue.shutDownWithDrain();
    await settled();
    while (taken.length < 6) {
      const item = await queue.get();
      assert.ok(item);
      taken.push(item);
    }
    for (const item of taken) queue.done(item);
    await drained;
    assert.equal(new Set(taken).size, 6);
  });

  it("do not depend on the order of paths over many rounds", async () => {
    const queue = setUp(1);
    const paths = ["a", "b", "c", "d"];
    for (const path of paths) addMany(queue, path, 25);
    const first: string[] = [];
    for (let round = 0; round < 40; round++) {
      const item = (await queue.get()) ?? "";
      first.push(item);
      queue.done(item);
    }
    assert.deepEqual(count(first), { a: 10, b: 10, c: 10, d: 10 });
  });
});
