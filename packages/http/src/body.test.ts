import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyLength, collectBody, discardBody, singleUse, writeBody } from "./body.ts";
import { BodyTooLargeError, BodyUsedError, DiscardedError } from "./errors.ts";
import type { Body, Sink } from "./message.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Has room for one chunk at a time, and says when it was written to without room. */
class NarrowSink implements Sink {
  readonly signal = new AbortController().signal;
  readonly chunks: Uint8Array[] = [];
  waits = 0;
  overruns = 0;
  #full = false;

  write(chunk: Uint8Array): boolean {
    if (this.#full) this.overruns++;
    this.chunks.push(chunk);
    this.#full = true;
    return false;
  }

  async drained(): Promise<void> {
    this.waits++;
    this.#full = false;
  }
}

const lengths: Record<string, [Body, number | undefined]> = {
  "nothing has length 0": [undefined, 0],
  "bytes have theirs": [bytes("abc"), 3],
  "chunks have their sum": [[bytes("a"), bytes(""), bytes("bc")], 3],
  "a writer's is unknown": [() => {}, undefined],
};
for (const [name, [body, length]] of Object.entries(lengths)) {
  test(`length: ${name}`, () => assert.equal(bodyLength(body), length));
}

const chunks = [bytes("a"), bytes(""), bytes("bcd"), bytes("ef")];
const kinds: Record<string, Body> = {
  bytes: Buffer.concat(chunks),
  chunks,
  "a writer": (sink) => writeBody(chunks, sink),
  "a writer that takes its time": async (sink) => {
    for (const chunk of chunks) {
      await new Promise(setImmediate);
      sink.write(chunk);
    }
  },
};
for (const [name, body] of Object.entries(kinds)) {
  test(`a body is collected to the bytes it consists of: ${name}`, async () => {
    assert.equal(Buffer.from(await collectBody(body, { limit: 6 })).toString(), "abcdef");
  });
}

test("nothing is collected to no bytes", async () => {
  assert.equal((await collectBody(undefined, { limit: 0 })).byteLength, 0);
});

test("a body in one piece is collected without a copy", async () => {
  const piece = bytes("abc");
  const limit = { limit: 3 };
  assert.equal(await collectBody(piece, limit), piece);
  assert.equal(await collectBody([piece], limit), piece);
  assert.equal(await collectBody((sink) => void sink.write(piece), limit), piece);
});

const tooLarge: Record<string, Body> = {
  bytes: bytes("abcd"),
  chunks: [bytes("ab"), bytes("cd")],
  "a writer": (sink) => {
    sink.write(bytes("ab"));
    sink.write(bytes("cd"));
  },
  "a writer that never ends": (sink) => {
    while (sink.write(bytes("abcd")));
    return new Promise(() => {});
  },
  "a writer that minds no signal": async (sink) => {
    for (let i = 0; i < 10; i++) sink.write(bytes("ab"));
  },
};
for (const [name, body] of Object.entries(tooLarge)) {
  test(`a body beyond the limit is refused: ${name}`, async () => {
    await assert.rejects(collectBody(body, { limit: 3 }), (error) => {
      assert.ok(error instanceof BodyTooLargeError);
      assert.equal(error.code, "BodyTooLarge");
      assert.equal(error.limit, 3);
      return true;
    });
  });
}

test("a writer whose body is too large sees its sink gone", async () => {
  const seen = Promise.withResolvers<unknown>();
  const body: Body = async (sink) => {
    assert.equal(sink.write(bytes("abcd")), false);
    assert.ok(sink.signal.aborted);
    await sink.drained().catch(seen.resolve);
  };
  await assert.rejects(collectBody(body, { limit: 3 }), BodyTooLargeError);
  assert.ok((await seen.promise) instanceof BodyTooLargeError);
});

test("what a writer throws is what its collector gets", async () => {
  const broken = new Error("broken");
  const sync: Body = () => {
    throw broken;
  };
  await assert.rejects(collectBody(sync, { limit: 3 }), broken);
  await assert.rejects(
    collectBody(() => Promise.reject(broken), { limit: 3 }),
    broken,
  );
});

test("chunks are written only where there is room", async () => {
  const sink = new NarrowSink();
  await writeBody([bytes("a"), bytes("b"), bytes("c")], sink);
  assert.equal(Buffer.concat(sink.chunks).toString(), "abc");
  assert.equal(sink.overruns, 0);
});

test("chunks for which there is room are written at once", () => {
  const written: Uint8Array[] = [];
  const sink: Sink = {
    signal: new AbortController().signal,
    write: (chunk) => written.push(chunk) > 0,
    drained: () => assert.fail("there was room"),
  };
  void writeBody([bytes("a"), bytes("b")], sink);
  assert.equal(written.length, 2);
});

test("a writer of single use cannot be run again", async () => {
  const body = singleUse((sink) => void sink.write(bytes("a")));
  await collectBody(body, { limit: 1 });
  await assert.rejects(collectBody(body, { limit: 1 }), BodyUsedError);
});

test("a discarded body is read to its end when it is short", async () => {
  let ended = false;
  await discardBody(async (sink) => {
    sink.write(bytes("abc"));
    await sink.drained();
    ended = true;
  });
  assert.ok(ended);
});

test("a discarded body that is long is cut off", async () => {
  let written = 0;
  await discardBody(
    async (sink) => {
      while (!sink.signal.aborted) {
        sink.write(bytes("abcd"));
        written += 4;
      }
      throw sink.signal.reason;
    },
    { limit: 100 },
  );
  assert.equal(written, 104);
});

test("a body that is discarded with limit 0 finds its sink gone", async () => {
  const seen: boolean[] = [];
  await discardBody(
    async (sink) => {
      seen.push(sink.signal.aborted, sink.write(bytes("a")));
      await sink.drained();
      seen.push(true);
    },
    { limit: 0 },
  );
  assert.deepEqual(seen, [true, false]);
});

test("a discarded body that never ends is cut off in time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const gone = Promise.withResolvers<unknown>();
  const discarded = discardBody((sink) => {
    sink.signal.addEventListener("abort", () => gone.resolve(sink.signal.reason));
    return new Promise(() => {});
  });
  t.mock.timers.tick(1_000);
  await discarded;
  assert.ok((await gone.promise) instanceof DiscardedError);
});

test("discarding never rejects: a broken, a used and an absent body", async () => {
  const used = singleUse(() => {});
  await discardBody(used);
  await discardBody(used);
  await discardBody(() => Promise.reject(new Error("broken")));
  await discardBody(undefined);
});
