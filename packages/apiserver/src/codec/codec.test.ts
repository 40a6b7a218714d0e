import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { duplicateFields, keysInText, keysInValue } from "./duplicate-fields.ts";
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

test("a text has as many keys as what is made of it, unless one is there twice", () => {
  const written = fc.tuple(fc.jsonValue(), fc.constantFrom(0, 2));
  fc.assert(
    fc.property(written, ([value, space]) => {
      assert.equal(keysInText(JSON.stringify(value, null, space)), keysInValue(value));
    }),
  );
  for (const [text, paths] of Object.values(duplicates)) {
    assert.equal(keysInText(text) > keysInValue(JSON.parse(text)), paths.length > 0, text);
  }
});

test("a body that nests too deeply is refused before anybody walks it", () => {
  const nested = (depth: number) => bytes(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  assert.doesNotThrow(() => parseJson(nested(1000), true));
  const message =
    "couldn't get version/kind; json parse error: invalid character '[' exceeded max depth";
  for (const depth of [1100, 100_000]) {
    assert.throws(() => parseJson(nested(depth), false), { code: "UndecodableBody", message });
  }
});

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
  const { value, strictProblems } = parseJson(bytes('{"a":1,"a":2,"a":3}'), true);
  assert.deepEqual(value, { a: 3 });
  assert.deepEqual(strictProblems, ['duplicate field "a"']);
  assert.deepEqual(parseJson(bytes('{"a":1,"a":2}'), false).strictProblems, []);
});

test("numbers that JavaScript does not keep as they are written are told by their text", () => {
  const text = '{"a":1.0,"b":[1,1e3,-0.5],"c":{"d":12345678901234567},"e":12,"f":"[1.0"}';
  const { value, literals } = parseJson(bytes(text), true);
  const { b, c } = value as { b: object; c: object };
  assert.deepEqual(value, JSON.parse(text));
  assert.deepEqual(
    [value as object, b, c].map((holder) => [...(literals?.get(holder) ?? [])]),
    [
      [["a", "1.0"]],
      [
        ["1", "1e3"],
        ["2", "-0.5"],
      ],
      [["d", "12345678901234567"]],
    ],
  );
  assert.equal(parseJson(bytes('{"a":1,"b":[-2,"x: 1"]}'), true).literals, undefined);
});

test("YAML is read as Kubernetes reads it: 1.1, the first document, times as text", () => {
  const { value } = parseYaml(bytes("a: yes\nb: 2026-01-01\nc: 0o7\n---\ne: 1\n"), true);
  assert.deepEqual(value, { a: true, b: "2026-01-01", c: 7 });
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

/** As sigs.k8s.io/yaml says it. */
const malformed: Record<string, string> = {
  "a: [": "yaml: line 1: did not find expected node content",
  "a: 1\nb: [\n": "yaml: line 2: did not find expected node content",
  "a: [1, 2": "yaml: line 1: did not find expected ',' or ']'",
  "a: {b: 1": "yaml: line 1: did not find expected ',' or '}'",
  "a: 1\nb: [\nc: 2\n": "yaml: line 3: did not find expected ',' or ']'",
  "a: b: c": "yaml: mapping values are not allowed in this context",
  "a:\n- b\n c: d": "yaml: line 3: mapping values are not allowed in this context",
  "a: b\n  c: d": "yaml: line 2: mapping values are not allowed in this context",
  "\t- a": "yaml: found character that cannot start any token",
  "foo: bar\n\tbaz: 1": "yaml: line 2: found a tab character that violates indentation",
  'a: "x': "yaml: found unexpected end of stream",
  'a: 1\nb: "x\n': "yaml: line 3: found unexpected end of stream",
  "a: *x": "yaml: unknown anchor 'x' referenced",
  "- a\nb: c": "yaml: line 1: did not find expected '-' indicator",
  "a: 'b' c": "yaml: did not find expected key",
  "a: 1\nb: ]\n": "yaml: line 1: did not find expected node content",
  "a: 1\nb: @x\n": "yaml: line 2: found character that cannot start any token",
  "a: |\n b\nc": "yaml: line 4: could not find expected ':'",
  '{"a" 1}': "yaml: did not find expected ',' or '}'",
  'a: "\\q"': "yaml: found unknown escape character",
  "a: |x\n b": "yaml: did not find expected comment or line break",
};
for (const [text, message] of Object.entries(malformed)) {
  test(`malformed YAML is told in Kubernetes' words: ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseYaml(bytes(text), true), { code: "UndecodableBody", message });
  });
}

test("keys below one of a megabyte are not told, which would take minutes", () => {
  const inner = Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join();
  const text = `{"${"x".repeat(1_000_000)}":{${inner}},"a":1,"a":2}`;
  assert.deepEqual(duplicateFields(text), ["a"]);
});
