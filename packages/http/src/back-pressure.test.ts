import assert from "node:assert/strict";
import { test } from "node:test";
import { protocols, startLoopback } from "../test/loopback.ts";
import type { Body, Handler, Sink } from "./message.ts";

const chunk = Buffer.alloc(64 * 1024);
/** What buffers of sockets and protocols may hold on the way from a writer to a reader. */
const onTheWay = 20_000_000;

interface Source {
  readonly handler: Handler;
  /** Resolves when the writer is told to wait; tells how many bytes it has written. */
  readonly full: Promise<void>;
  written(): number;
}

/** Writes `total` bytes as fast as its sink takes them. */
function source(total: number): Source {
  const full = Promise.withResolvers<void>();
  let written = 0;
  const body: Body = async (sink) => {
    while (written < total) {
      written += chunk.byteLength;
      if (sink.write(chunk)) continue;
      full.resolve();
      await sink.drained();
    }
  };
  return {
    handler: () => ({ status: 200, headers: {}, body }),
    full: full.promise,
    written: () => written,
  };
}

/** A sink that takes one chunk and then nothing until it is opened. */
function gate(): Sink & { open(): void; received(): number } {
  const opened = Promise.withResolvers<void>();
  let received = 0;
  let isOpen = false;
  return {
    signal: new AbortController().signal,
    write(piece) {
      received += piece.byteLength;
      return isOpen;
    },
    drained: () => opened.promise,
    open() {
      isOpen = true;
      opened.resolve();
    },
    received: () => received,
  };
}

for (const protocol of protocols) {
  test(`${protocol}: a reader that waits makes the writer wait, and then gets every byte`, async () => {
    const total = 2 * onTheWay;
    const { handler, full, written } = source(total);
    await using loopback = await startLoopback(protocol, handler);
    const { body } = await loopback.send();
    assert.ok(typeof body === "function");
    const sink = gate();
    const read = body(sink);
    await full;
    assert.ok(written() < onTheWay, `${written()} bytes were written`);
    sink.open();
    await read;
    assert.equal(sink.received(), written());
  });

  test(`${protocol}: a body that nobody reads makes the writer wait`, async () => {
    const { handler, full, written } = source(2 * onTheWay);
    await using loopback = await startLoopback(protocol, handler);
    await loopback.send();
    await full;
    assert.ok(written() < onTheWay, `${written()} bytes were written`);
  });

  test(`${protocol}: a proxy makes the writer wait for the client behind it`, async () => {
    const { handler, full, written } = source(2 * onTheWay);
    await using upstream = await startLoopback(protocol, handler);
    await using proxy = await startLoopback(protocol, (asked) => upstream.client.handler(asked));
    const { body } = await proxy.send();
    assert.ok(typeof body === "function");
    const sink = gate();
    const read = body(sink);
    await full;
    assert.ok(written() < onTheWay, `${written()} bytes were written`);
    sink.open();
    await read;
    assert.equal(sink.received(), written());
  });

  test(`${protocol}: a client that leaves while the writer waits ends the wait`, async () => {
    const ended = Promise.withResolvers<unknown>();
    await using loopback = await startLoopback(protocol, () => ({
      status: 200,
      headers: {},
      body: async (sink) => {
        try {
          for (;;) if (!sink.write(chunk)) await sink.drained();
        } catch (error) {
          ended.resolve(error);
          throw error;
        }
      },
    }));
    const leave = new AbortController();
    await loopback.send({ signal: leave.signal });
    leave.abort(new Error("left"));
    assert.equal(((await ended.promise) as { code?: string }).code, "PeerGone");
    assert.deepEqual(loopback.errors, []);
  });
}
