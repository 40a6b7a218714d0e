import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnswer } from "./parse-answer.ts";

test("an answer is an object, in JSON or YAML", () => {
  assert.deepEqual(parseAnswer('{"a":1}'), { a: 1 });
  assert.deepEqual(parseAnswer("a: 1\n"), { a: 1 });
});

test("what is no object is refused in Go's words", () => {
  const refused = (text: string, why: RegExp) => assert.throws(() => parseAnswer(text), why);
  refused("nonsense", /^WebhookCallError: .*json: cannot unmarshal string into Go value of type/);
  refused("[1]", /cannot unmarshal array/);
  refused("{ [", /json parse error: invalid character/);
});
