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
    queue.sendFirst([1, undefined, Promise.resolve(2)]);
    queue.push(3);
    while (!queue.isIdle) await Promise.resolve();
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
    initial.sendFirst([-2]);
    await assert.rejects(initial.ended, /could not take -2/);
  });

  it("makes what was there before only when the reader takes it", async () => {
    const { taken, send, fill, empty } = reader();
    const queue = new WatchQueue(send);
    const made: number[] = [];
    fill();
    queue.sendFirst([1, 2].values().map((item) => made.push(item)));
    assert.deepEqual(made, [1]);
    empty();
    while (!queue.isIdle) await Promise.resolve();
    assert.deepEqual(taken, [1, 2]);
  });

  it("ends where few large things wait, and tells when the reader has caught up", async () => {
    const { taken, send, fill, empty } = reader();
    const queue = new WatchQueue(send);
    fill();
    for (let item = 0; item < 20; item++) queue.push(item, 1024 * 1024);
    await queue.ended;
    const { caughtUp } = queue;
    assert.ok(caughtUp);
    empty();
    await caughtUp;
    assert.deepEqual(taken, [0]);
  });

  it("survives what fails behind a reader who takes nothing", async () => {
    const { send, fill, empty } = reader();
    const unheard = new WatchQueue(send);
    fill();
    unheard.push(1);
    unheard.push(Promise.reject(new Error("could not convert")));
    // An error that nobody hears would end the process in these turns.
    await new Promise((resolve) => setImmediate(resolve));
    unheard.end();
    const heard = new WatchQueue(send);
    heard.push(1);
    heard.push(Promise.reject(new Error("could not convert")));
    await new Promise((resolve) => setImmediate(resolve));
    empty();
    await assert.rejects(heard.ended, /could not convert/);
  });
});
