import assert from "node:assert/strict";
import { test } from "node:test";
import { findInexactInteger, parseWithLiterals } from "./number-literals.ts";

const rows: Record<string, [text: string, found: string | undefined]> = {
  "the largest that all numbers below it are, too": ['{"a":9007199254740991}', undefined],
  "one that is kept by chance": ['{"a":9007199254740992}', undefined],
  "one that is not": ['{"a":[{"b":9007199254740993}]}', "9007199254740993"],
  "a negative one": ['{"a":-9223372036854775807}', "-9223372036854775807"],
  "one past 64 bits, which is judged elsewhere": ['{"a":9223372036854775808}', undefined],
  "no integer": ['{"a":9007199254740993.5}', undefined],
  "a text": ['{"a":"9007199254740993"}', undefined],
};
for (const [name, [text, found]] of Object.entries(rows)) {
  test(`integers that would lose digits are found: ${name}`, () => {
    const parsed = parseWithLiterals(text);
    assert.equal(parsed && findInexactInteger(parsed.value, parsed.literals), found);
  });
}
