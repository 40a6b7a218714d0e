import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { isLiteral } from "./literal.ts";

const isJson = (text: string): boolean => {
  try {
    return ["number", "boolean"].includes(typeof JSON.parse(text)) || text === "null";
  } catch {
    return false;
  }
};

it("takes for numbers and words what JSON takes for them", () => {
  const letters = fc.constantFrom(..."0123456789+-.eE");
  const text = fc.oneof(
    fc.string({ unit: letters, minLength: 1, maxLength: 8 }),
    fc.double().map(String),
    fc.constantFrom("true", "false", "null", "tru", "nulll", "False", "-0", "01", "1.", "1e", "-"),
  );
  fc.assert(
    fc.property(text, (literal) => {
      const bytes = Buffer.from(`:${literal},1`);
      assert.equal(isLiteral(bytes, 1, bytes.length - 2), isJson(literal), literal);
    }),
    { numRuns: 2000 },
  );
});
