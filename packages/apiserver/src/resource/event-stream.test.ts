import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { waitFor } from "@rookery/testing";
import { EventStream } from "./event-stream.ts";

/** A reader that takes what it is sent, or nothing for a while. */
function reader() {
  const pieces: Uint8Array[] = [];
  const left = new AbortController();
  let room = Promise.withResolvers<void>();
  let isFull = false;
  const sink = {
    write: (piece: Uint8Array) => pieces.push(piece) > 0 && !isFull,
    drained: () => room.promise,
    signal: left.signal,
  };
  return {
    sink,
    pieces,
    texts: () => pieces.map((piece) => Buffer.from(piece).toString()),
    fill() {
      isFull = true;
    },
    empty() {
      isFull = false;
      room.resolve();
      room = Promise.withResolvers();
    },
    leave: () => room.reject(new Error("gone")),
  };
}

const line = (text: string) => Buffer.from(`${text}\n`);

describe("a stream of events", () => {
  it("sends what comes together as one piece, and what comes later at once", async () => {
    const { sink, texts } = reader();
    const stream = new EventStream(sink);
    assert.equal(stream.send(line("a")), undefined);
    assert.equal(stream.send(line("b")), undefined);
    await setImmediate();
    stream.send(line("c"));
    await setImmediate();
    assert.deepEqual(texts(), ["a\nb\n", "c\n"]);
  });

  it("joins the same lines once for all who are sent them", async () => {
    const readers = [reader(), reader(), reader()];
    const [a, b, c] = [line("a"), line("b"), line("c")];
    const streams = readers.map(({ sink }) => new EventStream(sink));
    for (const stream of streams) stream.send(a);
    for (const stream of streams) stream.send(b);
    streams[2]?.send(c);
    await setImmediate();
    const [first, second, third] = readers.map(({ pieces }) => pieces[0]);
    assert.equal(first, second);
    assert.deepEqual(third, Buffer.from("a\nb\nc\n"));
  });

  it("waits for a reader that is full, and keeps the order", async () => {
    const { sink, texts, fill, empty } = reader();
    const stream = new EventStream(sink);
    fill();
    stream.send(line("a"));
    await setImmediate();
    const room = stream.send(line("b"));
    assert.ok(room instanceof Promise);
    await setImmediate();
    assert.deepEqual(texts(), ["a\n"]);
    empty();
    await room;
    assert.deepEqual(texts(), ["a\n", "b\n"]);
    assert.equal(stream.send(line("c")), undefined);
  });

  it("tells who waits for room that the reader is gone", async () => {
    const { sink, fill, leave } = reader();
    const stream = new EventStream(sink);
    fill();
    stream.send(line("a"));
    await setImmediate();
    const room = stream.send(line("b"));
    leave();
    await assert.rejects(async () => room, /gone/);
  });

  it("does not hold a long list in memory until its end", () => {
    const { sink, pieces } = reader();
    const stream = new EventStream(sink);
    for (let count = 0; count < 1000; count++) stream.send(line("x".repeat(1023)));
    assert.equal(pieces.length, 15);
  });

  it("lets events for many share pieces, and loses none", async () => {
    const readers = Array.from({ length: 100 }, reader);
    const streams = readers.map(({ sink }) => new EventStream(sink));
    const expected = Array.from({ length: 50 }, (_, index) => `${index}\n`).join("");
    for (let index = 0; index < 50; index++) {
      const event = line(String(index));
      for (const stream of streams) stream.send(event);
      await setImmediate();
    }
    await waitFor(() => readers.every(({ texts }) => texts().join("") === expected), {
      what: "all events",
    });
  });
});
