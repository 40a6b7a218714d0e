import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WatchQueue } from "./watch-queue.ts";

/** A reader that takes as many as it is let to. */
function reader() {
  const taken: number[] = [];
  let room = Promise.withResolvers<void>();
  let isFull = false;
  return {
    taken,
    send(item: number): Promise<void> | undefined {
      if (item < 0) throw new Error(`could not take ${item}`);
      taken.push(item);
      return isFull ? room.promise : undefined;
    },
    fill() {
      isFull = true;
    },
    empty() {
      isFull = false;
      room.resolve();
      room = Promise.withResolvers();
    },
  };
}

describe("a queue of a watch", () => {
  it("sends at once while the reader takes", () => {
    const { taken, send } = reader();
    const queue = new WatchQueue(send);
    queue.push(1);
    queue.push(2);
    assert.deepEqual(taken, [1, 2]);
    assert.ok(queue.isIdle);
  });

  it("keeps the order of what takes time, and leaves out what comes to nothing", async () => {
    const { taken, send } = reader();
    const queue = new WatchQueue(send);
    const slow = Promise.withResolvers<number | undefined>();
    queue.push(slow.promise);
    queue.push(Promise.resolve(undefined));
    queue.push(2);
    assert.deepEqual(taken, []);
    slow.resolve(1);
    while (!queue.isIdle) await Promise.resolve();
    assert.deepEqual(taken, [1, 2]);
  });

  it("sends what was there before first", async () => {
    const { taken, send } = reader();
    const queue = new WatchQueue(send);
    const first = queue.sendFirst([1, undefined, Promise.resolve(2)]);
    queue.push(3);
    await first;
    assert.deepEqual(taken, [1, 2, 3]);
  });

  it("waits for the reader, and ends where it waits too long", async () => {
    const { taken, send, fill, empty } = reader();
    const queue = new WatchQueue(send);
    fill();
    for (let item = 0; item <= 1000; item++) queue.push(item);
    assert.deepEqual(taken, [0]);
    empty();
    while (!queue.isIdle) await Promise.resolve();
    assert.equal(taken.length, 1001);
    fill();
    for (let item = 0; item <= 1001; item++) queue.push(item);
    await queue.ended;
    assert.equal(taken.length, 1002);
  });

  it("fails where the reader does, at once or later", async () => {
    const { send, fill, empty } = reader();
    const queue = new WatchQueue(send);
    fill();
    queue.push(1);
    queue.push(-1);
    empty();
    await assert.rejects(queue.ended, /could not take -1/);
    const initial = new WatchQueue(send);
    await assert.rejects(initial.sendFirst([-2]), /could not take -2/);
  });
});
