import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FrameError } from "../errors.ts";
import { encodeFrame, FrameReader } from "./frame-reader.ts";

function stream(...payloads: Uint8Array[]): Uint8Array {
  return Uint8Array.from(
    payloads.flatMap((payload) => encodeFrame(payload).flatMap((p) => [...p])),
  );
}

const payloads = [Uint8Array.of(1, 2, 3), new Uint8Array(), Uint8Array.of(4)];

describe("FrameReader", () => {
  it("cuts a stream at every byte and finds the same frames", () => {
    const bytes = stream(...payloads);
    for (let at = 0; at <= bytes.length; at++) {
      const reader = new FrameReader();
      const frames = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at))];
      reader.end();
      assert.deepEqual(frames, payloads);
    }
  });

  it("takes one byte at a time", () => {
    const reader = new FrameReader();
    const frames = [...stream(...payloads)].flatMap((byte) => reader.push(Uint8Array.of(byte)));
    reader.end();
    assert.deepEqual(frames, payloads);
  });

  it("gives a frame as soon as it is complete", () => {
    const reader = new FrameReader();
    const bytes = stream(...payloads);
    assert.deepEqual(reader.push(bytes.subarray(0, 6)), []);
    assert.deepEqual(reader.push(bytes.subarray(6, 7)), [payloads[0]]);
    assert.deepEqual(reader.push(bytes.subarray(7, 11)), [payloads[1]]);
  });

  it("gives a view where the frame lies within one chunk", () => {
    const chunk = stream(...payloads);
    assert.equal(new FrameReader().push(chunk)[0]?.buffer, chunk.buffer);
  });

  it("refuses a frame that is too long by its header alone, and whatever follows", () => {
    const reader = new FrameReader({ maxFrameBytes: 3 });
    assert.deepEqual(reader.push(stream(Uint8Array.of(1, 2, 3))), [Uint8Array.of(1, 2, 3)]);
    assert.throws(() => reader.push(Uint8Array.of(0, 0, 0, 4)), FrameError);
    assert.throws(() => reader.push(Uint8Array.of(0, 0, 0, 1, 5)), FrameError);
  });

  it("refuses the largest length at once", () => {
    assert.throws(() => new FrameReader().push(Uint8Array.of(255, 255, 255, 255)), FrameError);
  });

  it("refuses an end within a header and within a frame", () => {
    for (const cut of [1, 3, 4, 6]) {
      const reader = new FrameReader();
      reader.push(stream(...payloads).subarray(0, cut));
      assert.throws(() => reader.end(), FrameError);
    }
  });

  it("finds the same frames however a stream is split", () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(frames, fc.array(fc.nat({ max: 400 })), (frames, sizes) => {
        const reader = new FrameReader();
        const found: Uint8Array[] = [];
        let rest = stream(...frames);
        for (const size of sizes) {
          found.push(...reader.push(rest.subarray(0, size)));
          rest = rest.subarray(size);
        }
        found.push(...reader.push(rest));
        reader.end();
        assert.deepEqual(found, frames);
      }),
    );
  });
});
