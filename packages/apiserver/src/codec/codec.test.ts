import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { duplicateFields } from "./duplicate-fields.ts";
import { describeJsonError } from "./json-error.ts";
import { parseJson } from "./parse-json.ts";
import { parseYaml } from "./parse-yaml.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const duplicates: Record<string, [text: string, paths: string[]]> = {
  none: ['{"a":{"b":1},"c":[{"b":1},{"b":"a"}]}', []],
  "at the top": ['{"a":1,"a":2}', ["a"]],
  "in an object": ['{"spec":{"name":"y","x":{},"name":"z"}}', ["spec.name"]],
  "in a list": ['{"items":[{"a":1},{"b":1,"b":2}]}', ["items[1].b"]],
  "in lists of lists": ['[[1,[{"b":1,"b":2}]]]', ["[0][1][0].b"]],
  "written in two ways": ['{"a":1,"\\u0061":2}', ["a"]],
  "with text that looks like one": ['{"a":"{\\"a\\":1,\\"a\\":2}"}', []],
  "an empty key": ['{"":1,"":2}', [""]],
};
for (const [sentence, [text, paths]] of Object.entries(duplicates)) {
  test(`fields that are there twice: ${sentence}`, () => {
    assert.deepEqual(duplicateFields(text), paths);
  });
}

test("what JSON.stringify writes has no field twice", () => {
  fc.assert(fc.property(fc.json(), (text) => duplicateFields(text).length === 0));
});

test("text that JSON.parse refuses is always explained", () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, extra]) => {
      const position = at % (text.length + 1);
      return text.slice(0, position) + extra + text.slice(position + 1);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      try {
        JSON.parse(text);
      } catch {
        assert.match(
          describeJsonError(text),
          /^(unexpected end of JSON input|invalid character '.+' .+)$/s,
        );
      }
    }),
    { numRuns: 2000 },
  );
});

test("the last of repeated fields counts, and a strict reader hears of it once", () => {
  const parsed = parseJson(bytes('{"a":1,"a":2,"a":3}'), true);
  assert.deepEqual(parsed, { value: { a: 3 }, strictProblems: ['duplicate field "a"'] });
  assert.deepEqual(parseJson(bytes('{"a":1,"a":2}'), false).strictProblems, []);
});

test("YAML is read as Kubernetes reads it: 1.1, the first document, times as text", () => {
  const { value } = parseYaml(bytes("a: yes\nb: 2026-01-01\nc: 0o7\n---\ne: 1\n"), true);
  assert.deepEqual(value, { a: true, b: "2026-01-01", c: "0o7" });
});

test("nothing is null in YAML", () => {
  assert.deepEqual(parseYaml(bytes(""), true), { value: null, strictProblems: [] });
});

test("YAML that can't be read says where", () => {
  assert.throws(() => parseYaml(bytes("a: 1\nb: [\n"), true), /^DecodeError: yaml: line \d+: /);
  assert.throws(() => parseYaml(bytes("a: *nothing\n"), true), { code: "UndecodableBody" });
});

test("YAML that grows without end is refused", () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`)}]`,
  );
  const bomb = `a0: &a0 x\n${levels.join("\n")}\n`;
  assert.throws(() => parseYaml(bytes(bomb), true), { code: "UndecodableBody" });
});

test("JSON is YAML, and what is repeated in it is told as YAML tells it", () => {
  assert.deepEqual(parseYaml(bytes('{"a":1}'), true).value, { a: 1 });
  const { value, strictProblems } = parseYaml(bytes('{"a":1,"a":2}'), true);
  assert.deepEqual(value, { a: 2 });
  assert.deepEqual(strictProblems, [
    'yaml: unmarshal errors:\n  line 1: key "a" already set in map',
  ]);
});

test("YAML that would keep others waiting is refused, JSON is not", () => {
  const long = "x".repeat(1024 * 1024);
  assert.throws(() => parseYaml(bytes(`a: ${long}`), true), { httpStatus: 413 });
  assert.equal(
    JSON.stringify(parseYaml(bytes(`{"a":"${long}"}`), true).value).length,
    long.length + 8,
  );
});

const deep: Record<string, string> = {
  brackets: "[".repeat(100_000),
  braces: `${"{a: ".repeat(100_000)}`,
  "lists in lines": "- ".repeat(100_000),
};
for (const [sentence, text] of Object.entries(deep)) {
  test(`YAML that nests without end is refused: ${sentence}`, () => {
    assert.throws(() => parseYaml(bytes(text), true), /exceeded max depth of 1000/);
  });
}

test("JSON that nests without end is read without looking for what is repeated so deep", () => {
  const text = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  assert.deepEqual(parseJson(bytes(text), true).strictProblems, []);
});
