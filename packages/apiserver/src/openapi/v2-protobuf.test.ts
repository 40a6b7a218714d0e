import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeOpenApiV2 } from "./v2-protobuf.ts";

test("a document is written as gnostic's messages, with extensions as YAML", () => {
  const kind = { group: "g", version: "v1", kind: "A" };
  const bytes = encodeOpenApiV2({
    swagger: "2.0",
    definitions: { A: { type: "object", "x-kubernetes-group-version-kind": [kind] } },
  });
  const yaml = Buffer.from("- group: g\n  kind: A\n  version: v1\n");
  const name = Buffer.from("x-kubernetes-group-version-kind");
  const value = [0x12, yaml.length, ...yaml];
  const pair = [0x0a, name.length, ...name, 0x12, value.length, ...value];
  const schema = [0xb2, 1, 8, 0x0a, 6, ...Buffer.from("object"), 0xfa, 1, pair.length, ...pair];
  const named = [0x0a, 1, 0x41, 0x12, schema.length, ...schema];
  const definitions = [0x0a, named.length, ...named];
  const expected = [0x0a, 3, ...Buffer.from("2.0"), 0x4a, definitions.length, ...definitions];
  assert.deepEqual([...bytes], expected);
});
