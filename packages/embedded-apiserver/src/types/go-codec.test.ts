import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { DecodeError } from "@rookery/apiserver";
import { builtInGoType } from "./go-types.ts";
import { protobufDecoder } from "./protobuf/protobuf-decoder.ts";
import { typedDecoder } from "./typed-decoder.ts";

interface Recorded {
  readonly objects: readonly RecordedObject[];
  readonly mutations: readonly Mutation[];
}

interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly json: object;
  readonly protobuf: string;
}

interface Mutation {
  readonly object: number;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly error?: string;
  readonly strict?: readonly string[];
  readonly hash?: string;
}

/** Written by `node packages/embedded-apiserver/generate/go-codec.ts` with Kubernetes' own Go code. */
const file = join(import.meta.dirname, "../../test/types/testdata/go-codec.json.gz");
const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recorded;

function read(kind: RecordedObject, value: unknown) {
  return typedDecoder(builtInGoType(kind) ?? "")(value as never);
}

test("Protobuf of every kind is read as Go reads it, and written as Go writes it", () => {
  const decode = protobufDecoder(builtInGoType);
  assert.ok(recorded.objects.length > 80);
  for (const object of recorded.objects) {
    const value = decode(Buffer.from(object.protobuf, "base64"));
    const written = JSON.stringify(read(object, value).object);
    assert.equal(written, JSON.stringify(object.json), `${object.apiVersion} ${object.kind}`);
  }
});

test("JSON of every kind is written again as it was", () => {
  for (const object of recorded.objects) {
    const { object: again, unknownFields } = read(object, object.json);
    assert.equal(JSON.stringify(again), JSON.stringify(object.json));
    assert.deepEqual(unknownFields, []);
  }
});

test("whatever stands where something else should be, Go says the same", () => {
  assert.ok(recorded.mutations.length > 3000);
  for (const { object: index, path, value, ...expected } of recorded.mutations) {
    const object = recorded.objects[index] as RecordedObject;
    const outcome = outcomeOf(object, replaced(object.json, path, value));
    const where = `${object.kind} with ${JSON.stringify(value)} at ${path.join(".")}`;
    assert.deepEqual(outcome, expected, where);
  }
});

function replaced(json: object, path: Mutation["path"], value: unknown): object {
  const copy = structuredClone(json);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as typeof holder;
  holder[path.at(-1) ?? ""] = value;
  return copy;
}

function outcomeOf(kind: RecordedObject, value: object) {
  try {
    const { object, unknownFields } = read(kind, value);
    const hash = createHash("sha256").update(JSON.stringify(object)).digest("hex").slice(0, 16);
    const strict = unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`);
    return { ...(strict.length > 0 && { strict }), hash };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}
