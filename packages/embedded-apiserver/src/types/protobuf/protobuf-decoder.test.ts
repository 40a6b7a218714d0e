import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { encodeEnvelope, WireWriter } from "@rookery/kube";
import { builtInGoType } from "../go-types.ts";
import { protobufDecoder } from "./protobuf-decoder.ts";

const decode = protobufDecoder(builtInGoType);
const configMap = { apiVersion: "v1", kind: "ConfigMap" };

function body(typeMeta: { apiVersion: string; kind: string }, message: WireWriter): Uint8Array {
  return encodeEnvelope({ typeMeta, raw: message.finish() }).finish();
}

test("a message becomes what the object is in JSON", () => {
  const message = new WireWriter()
    .message(1, (meta) => meta.string(1, "x").string(3, "n"))
    .message(2, (entry) => entry.string(1, "a").string(2, "1"))
    .message(2, (entry) => entry.string(1, "__proto__").string(2, "2"));
  assert.deepEqual(
    decode(body(configMap, message)),
    JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"n"},"data":{"a":"1","__proto__":"2"}}',
    ),
  );
});

test("a message that comes in parts is put together, and unknown fields are skipped", () => {
  const message = new WireWriter()
    .message(1, (meta) => meta.string(1, "x").string(99, "later"))
    .string(77, "unknown")
    .message(1, (meta) => meta.string(3, "n"));
  assert.deepEqual(decode(body(configMap, message)), {
    ...configMap,
    metadata: { name: "x", namespace: "n" },
  });
});

test("numbers of a list may come one after another without tags", () => {
  const security = (writer: WireWriter) => writer.bytes(4, Uint8Array.of(1, 0x96, 0x01));
  const message = new WireWriter().message(2, (spec) => spec.message(14, security));
  assert.deepEqual(decode(body({ apiVersion: "v1", kind: "Pod" }, message)), {
    apiVersion: "v1",
    kind: "Pod",
    spec: { securityContext: { supplementalGroups: [1, 150] } },
  });
});

test("a bomb of schemas in schemas is refused, and the next body is read", () => {
  let schema: Uint8Array = new WireWriter().string(5, "object").finish();
  // Field 28 of a schema is "not", which is a schema.
  for (let i = 0; i < 2000; i++) schema = new WireWriter().bytes(28, schema).finish();
  const version = (writer: WireWriter) =>
    writer.message(4, (validation) => validation.bytes(1, schema));
  const message = new WireWriter().message(2, (spec) => spec.message(7, version));
  const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  assert.throws(() => decode(body(crd, message)), /proto: exceeded max depth/);
  assert.deepEqual(decode(body(configMap, new WireWriter())), configMap);
});

test("a number of a list that never ends is refused", () => {
  const security = (writer: WireWriter) => writer.bytes(4, new Uint8Array(1_000_000).fill(0x80));
  const message = new WireWriter().message(2, (spec) => spec.message(14, security));
  assert.throws(() => decode(body({ apiVersion: "v1", kind: "Pod" }, message)), /integer overflow/);
});

test("options of a deletion are of every group", () => {
  const message = new WireWriter().string(4, "Orphan");
  const typeMeta = { apiVersion: "apps/v1", kind: "DeleteOptions" };
  assert.deepEqual(decode(body(typeMeta, message)), { ...typeMeta, propagationPolicy: "Orphan" });
});

test("of a kind that is not built in only the kind is read", () => {
  const typeMeta = { apiVersion: "example.com/v1", kind: "Auk" };
  assert.deepEqual(decode(body(typeMeta, new WireWriter().string(1, "x"))), typeMeta);
});

describe("bytes that are no such message are refused in kube-apiserver's words", () => {
  const inside = (bytes: readonly number[]) =>
    encodeEnvelope({ typeMeta: configMap, raw: Uint8Array.from(bytes) }).finish();
  const cases: Record<string, [bytes: Uint8Array, message: string]> = {
    nothing: [new Uint8Array(), "empty data"],
    "something else": [
      Buffer.from("{}"),
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    ],
    "an envelope without anything": [Buffer.from("6b387300", "hex"), "empty body"],
    "an envelope that is cut off": [Buffer.from("6b387300ffff", "hex"), "unexpected EOF"],
    "a message that is cut off": [inside([0x0a, 0x05]), "unexpected EOF"],
    "a field of another type": [inside([0x08, 0x01]), "proto: wrong wireType = 0"],
  };
  for (const [sentence, [bytes, message]] of Object.entries(cases)) {
    test(sentence, () => assert.throws(() => decode(bytes), { code: "UndecodableBody", message }));
  }
  test("and the kind is told where it could be read", () => {
    assert.throws(() => decode(inside([0x0a, 0x05])), { kind: configMap });
  });
});
