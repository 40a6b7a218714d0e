import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { WireError } from "../errors.ts";
import { decodeEnvelope, encodeEnvelope, isEnvelope } from "./envelope.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

function hex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** A ConfigMap "é-x" with generation -1, a label and a key, as apimachinery v0.34.4 encodes it. */
const configMap = hex(
  "6b3873000a0f0a0276311209436f6e6669674d6170122f0a250a04c3a92d7812001a0022002a00320038ffffffffffffffffff0142005a060a016112016212060a016b1201761a002200",
);

describe("an envelope of Kubernetes", () => {
  it("is opened without copying", () => {
    const envelope = decodeEnvelope(configMap);
    assert.deepEqual(envelope.typeMeta, { apiVersion: "v1", kind: "ConfigMap" });
    assert.equal(envelope.contentEncoding, "");
    assert.equal(envelope.contentType, "");
    assert.equal(envelope.raw?.buffer, configMap.buffer);
  });

  it("is closed again byte for byte", () => {
    assert.deepEqual(encodeEnvelope(decodeEnvelope(configMap)).finish(), configMap);
  });

  it("holds metadata as field 1 of the object", () => {
    const object = new WireReader(decodeEnvelope(configMap).raw ?? new Uint8Array());
    assert.ok(object.next());
    assert.equal(object.field, 1);
    const metadata = object.message();
    assert.ok(metadata.next());
    assert.equal(metadata.string(), "é-x");
    while (metadata.next() && metadata.field !== 7) metadata.skip();
    assert.equal(metadata.int64(), -1n);
  });

  it("keeps fields that are not known", () => {
    const unknown = new WireWriter().string(9, "later").finish();
    const bytes = new WireWriter().raw(configMap).raw(unknown).finish();
    const envelope = decodeEnvelope(bytes);
    assert.deepEqual(envelope.unknownFields, [unknown]);
    assert.deepEqual(encodeEnvelope(envelope).finish(), bytes);
  });

  it("without an object is told from one with an empty object", () => {
    const typeMeta = { apiVersion: "v1", kind: "Pod" };
    for (const raw of [undefined, new Uint8Array()]) {
      const bytes = encodeEnvelope({ typeMeta, raw }).finish();
      assert.deepEqual(decodeEnvelope(bytes).raw, raw);
    }
  });

  it("is refused without its prefix", () => {
    assert.ok(!isEnvelope(new TextEncoder().encode("{}")));
    assert.throws(() => decodeEnvelope(new TextEncoder().encode("{}")), WireError);
    assert.throws(() => decodeEnvelope(configMap.subarray(0, 3)), WireError);
  });

  it("is refused where it is cut off, at every byte", () => {
    for (let length = 5; length < configMap.length; length++) {
      try {
        const { raw } = decodeEnvelope(configMap.subarray(0, length));
        assert.ok(raw === undefined || raw.length === 47);
      } catch (error) {
        assert.ok(error instanceof WireError);
      }
    }
  });

  it("comes back as it went, whatever it holds", () => {
    const arbitrary = fc.record({
      typeMeta: fc.record(
        { apiVersion: fc.string(), kind: fc.string() },
        { noNullPrototype: true },
      ),
      raw: fc.option(fc.uint8Array({ maxLength: 2000 }), { nil: undefined }),
      contentEncoding: fc.string(),
      contentType: fc.string(),
    });
    fc.assert(
      fc.property(arbitrary, (envelope) => {
        const bytes = encodeEnvelope(envelope).finish();
        assert.deepEqual(decodeEnvelope(bytes), { ...envelope, unknownFields: [] });
      }),
    );
  });
});
