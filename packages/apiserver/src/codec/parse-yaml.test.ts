import assert from "node:assert/strict";
import { test } from "node:test";
import { findInexactInteger } from "./number-literals.ts";
import { parseYaml } from "./parse-yaml.ts";

const parse = (text: string) => parseYaml(new TextEncoder().encode(text), true);

const rows: Record<string, [number: string, value: unknown]> = {
  "a whole float": ["1.0", 1],
  "an exponent": ["1e3", 1000],
  "the largest that all below it are, too": ["9007199254740991", 9007199254740991],
  "octal digits of either time": ["[010, 0o10, -0o10]", [8, 8, -8]],
  "hexadecimal and binary digits": ["[0x10, 0b11]", [16, 3]],
  "minutes, which are text": ["1:30", "1:30"],
  "a day, which is text": ["2026-01-01", "2026-01-01"],
  "a number past all numbers, which is text": ["-1e400", "-1e400"],
  "one past 64 bits": ["18446744073709551616", 18446744073709552000],
  "octal digits in quotes": ["'0o10'", "0o10"],
};
for (const [sentence, [number, value]] of Object.entries(rows)) {
  test(`a number in YAML is what Go makes of it: ${sentence}`, () => {
    assert.deepEqual(parse(`a: ${number}`).value, { a: value });
  });
}

test("numbers of JSON that is sent as YAML are read as those of YAML", () => {
  const { value, literals } = parse('{"a":1.0,"b":1e3,"c":1e400}');
  assert.deepEqual(value, { a: 1, b: 1000, c: "1e400" });
  assert.equal(literals?.get(value as object)?.get("a"), undefined);
});

for (const text of ["a: [b: 9007199254740993]", '{"a":[{"b":9007199254740993}]}']) {
  test(`an integer that would lose digits is found: ${text}`, () => {
    const { value, literals } = parse(text);
    assert.equal(literals && findInexactInteger(value, literals), "9007199254740993");
  });
}

for (const [number, shown] of [
  [".inf", "+Inf"],
  ["-.Inf", "-Inf"],
  [".nan", "NaN"],
] as const) {
  test(`what is endless or no number is refused: ${number}`, () => {
    const message = `json: unsupported value: ${shown}`;
    assert.throws(() => parse(`a: ${number}`), { code: "UndecodableBody", message });
  });
}

test("a number that is there twice as a key is told", () => {
  const { strictProblems } = parse("1: a\n1: b\n");
  assert.deepEqual(strictProblems, ["yaml: unmarshal errors:\n  line 2: key 1 already set in map"]);
});
