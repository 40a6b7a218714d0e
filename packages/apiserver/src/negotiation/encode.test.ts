import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { requestOf } from "../../test/asking.ts";
import { writeObject } from "./encode.ts";
import type { Output } from "./output.ts";

async function write(object: object, output: Partial<Output> = {}, headers = {}) {
  const request = requestOf("/", { headers });
  return writeObject(request, {
    status: 200,
    object,
    output: { mediaType: "application/json", pretty: false, ...output },
  });
}

test("JSON ends with a line, indented JSON does not", async () => {
  assert.equal(String((await write({ a: 1 })).body), '{"a":1}\n');
  assert.equal(String((await write({ a: 1 }, { pretty: true })).body), '{\n  "a": 1\n}');
});

test("YAML is sorted, and text that could be something else is quoted", async () => {
  const object = {
    b: [{ d: "y", c: "1" }],
    a: "no",
    e: undefined,
    f: "2026-01-01T00:00:00Z",
    g: "text",
  };
  const { body } = await write(object, { mediaType: "application/yaml" });
  assert.equal(
    String(body),
    'a: "no"\nb:\n- c: "1"\n  d: "y"\nf: "2026-01-01T00:00:00Z"\ng: text\n',
  );
});

test("a long answer is compressed for who takes that", async () => {
  const object = { text: "x".repeat(128 * 1024) };
  const { headers, body } = await write(object, {}, { "accept-encoding": "br, gzip" });
  assert.equal(headers["content-encoding"], "gzip");
  assert.deepEqual(headers.vary, ["Accept-Encoding"]);
  assert.deepEqual(JSON.parse(gunzipSync(body as Uint8Array).toString()), object);
});

test("an answer is not compressed where it is short, or the client does not say so", async () => {
  const long = { text: "x".repeat(128 * 1024) };
  assert.equal((await write(long)).headers["content-encoding"], undefined);
  const short = await write({ text: "x" }, {}, { "accept-encoding": "gzip" });
  assert.equal(short.headers["content-encoding"], undefined);
});
