import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeFrame } from "@rookery/kube";
import { array, assert as holds, integer, property, uint8Array } from "fast-check";
import { createFrameBoundary } from "./frame-boundary.ts";

const protobuf = "application/vnd.kubernetes.protobuf;stream=watch";

/** After which of these bytes, pushed one by one, a frame has ended. */
function boundaries(contentType: string, bytes: Uint8Array): number[] {
  const frames = createFrameBoundary(contentType);
  const found = frames.isAtBoundary ? [0] : [];
  for (const [index, byte] of bytes.entries()) {
    frames.push(Uint8Array.of(byte));
    if (frames.isAtBoundary) found.push(index + 1);
  }
  return found;
}

describe("the frames of a watch", () => {
  it("end with a line in JSON", () => {
    assert.deepEqual(boundaries("application/json", Buffer.from('{"a":1}\n{"b"')), [0, 8]);
  });

  it("may end anywhere in text", () => {
    assert.deepEqual(boundaries("text/plain", Buffer.from("abc")), [0, 1, 2, 3]);
  });

  it("have their length before them in Protobuf, however they are cut", () => {
    const bodies = array(uint8Array({ maxLength: 400 }), { maxLength: 4 });
    holds(
      property(bodies, integer({ min: 1, max: 300 }), (parts, size) => {
        const framed = parts.map((part) => Buffer.concat(encodeFrame(part)));
        const ends = new Set([0]);
        let end = 0;
        for (const one of framed) {
          end += one.length;
          ends.add(end);
        }
        const bytes = Buffer.concat(framed);
        const frames = createFrameBoundary(protobuf);
        for (let at = 0; at < bytes.length; at += size) {
          frames.push(bytes.subarray(at, at + size));
          assert.equal(frames.isAtBoundary, ends.has(Math.min(bytes.length, at + size)));
        }
      }),
    );
  });
});
