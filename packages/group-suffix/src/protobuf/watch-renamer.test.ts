import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeFrame } from "@rookery/kube";
import { configMap, envelope, mapping, real, virtual, wire } from "../../test/protobuf/object.ts";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { createProtobufWatchRenamer } from "./protobuf-renamer.ts";

const { rename, stream } = createProtobufWatchRenamer({ mapping });

function frame(type: string, object: Uint8Array): Uint8Array {
  const event = wire((message) =>
    message.string(1, type).message(2, (embedded) => embedded.bytes(1, object)),
  );
  return Buffer.concat(encodeFrame(event));
}

/** Events of every type. */
function events(group: string): Uint8Array {
  const status = envelope("v1", "Status", (object) =>
    object.string(3, `crontabs.${group} "a" not found`).message(5, (it) => it.string(2, group)),
  );
  return Buffer.concat([
    frame("ADDED", configMap(`${group}/v1`)),
    frame("MODIFIED", configMap("apps/v1")),
    frame("DELETED", configMap(`${group}/v1`)),
    frame("BOOKMARK", envelope("v1", "ConfigMap", new Uint8Array())),
    frame("ERROR", status),
  ]);
}

/** What leaves a stream into which these chunks go. */
function through(chunks: readonly Uint8Array[]): Buffer {
  const renaming = stream(undefined);
  const parts = chunks.flatMap((chunk) => renaming.push(chunk));
  return Buffer.concat([...parts, ...renaming.end()]);
}

describe("a watch in Protobuf", () => {
  it("is renamed, events of every type", () => {
    assert.deepEqual(Buffer.from(rename(events(virtual), undefined)), events(real));
    assert.deepEqual(Buffer.from(rename(events(real), undefined)), events(virtual));
  });

  it("is the very same array where nothing matches", () => {
    const body = Buffer.concat([frame("ADDED", configMap("apps/v1")), frame("X", configMap("v1"))]);
    assert.equal(rename(body, undefined), body);
    assert.equal(rename(body.subarray(0, 0), undefined).length, 0);
  });

  it("passes a chunk of whole events on as it is, where nothing matches", () => {
    const body = Buffer.concat([frame("ADDED", configMap("apps/v1")), frame("X", configMap("v1"))]);
    const renaming = stream(undefined);
    assert.equal(renaming.push(body)[0], body);
    const [head, rest] = [body.subarray(0, 20), body.subarray(20)];
    assert.deepEqual(Buffer.concat([...renaming.push(head), ...renaming.push(rest)]), body);
    assert.equal(renaming.push(body)[0], body);
  });

  it("may be split at every byte", () => {
    const body = events(virtual);
    for (let at = 0; at <= body.length; at++) {
      assert.deepEqual(through([body.subarray(0, at), body.subarray(at)]), events(real));
    }
    assert.deepEqual(through(Array.from(body, (byte) => Uint8Array.of(byte))), events(real));
  });

  it("lets an event go on as soon as it is complete", () => {
    const [first, second] = [frame("ADDED", configMap(`${virtual}/v1`)), events(virtual)];
    const renaming = stream(undefined);
    const parts = renaming.push(Buffer.concat([first, second.subarray(0, 10)]));
    const expected = frame("ADDED", configMap(`${real}/v1`));
    assert.deepEqual(Buffer.concat(parts), Buffer.from(expected));
    assert.deepEqual(renaming.push(second.subarray(10, 20)), []);
  });

  it("that ends within an event is told from one that ends", () => {
    const body = events(virtual);
    const whole = new Set<number>();
    for (
      let at = 0;
      at < body.length;
      at += 4 + new DataView(body.buffer, body.byteOffset + at).getUint32(0)
    ) {
      whole.add(at);
    }
    for (let length = 0; length < body.length; length++) {
      const cut = () => through([body.subarray(0, length)]);
      if (whole.has(length)) cut();
      else assert.throws(cut, TruncatedBodyError);
    }
  });

  it("has no events longer than 16 MiB", () => {
    const tooLong = Uint8Array.of(0x01, 0x00, 0x00, 0x01);
    const refused = (error: Error) =>
      error instanceof UnreadableBodyError &&
      /longer than the limit of 16777216/.test(error.message);
    assert.throws(() => stream(undefined).push(tooLong), refused);
    assert.deepEqual(stream(undefined).push(Uint8Array.of(0x01, 0x00, 0x00, 0x00)), []);
  });

  it("has no events that are none", () => {
    const notAnEvent = Buffer.concat(encodeFrame(Uint8Array.of(0x12, 0x05)));
    assert.throws(() => stream(undefined).push(notAnEvent), UnreadableBodyError);
  });
});
