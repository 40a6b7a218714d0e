import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatDocuments } from "../../test/documents/write-documents.ts";
import { DocumentError } from "../errors.ts";
import { readBlocks } from "./block-reader.ts";
import { parseComponents, parseDocuments } from "./documents.ts";
import { splitDocuments } from "./split-documents.ts";
import { readWhole } from "./whole-reader.ts";

const valuesOf = (text: string) => parseDocuments(text).map(({ value }) => value);

const scalars: Record<string, readonly [string, unknown]> = {
  "yes, on and y are true": ["[yes, On, Y, TRUE]", [true, true, true, true]],
  "no, off and n are false": ["[no, Off, N]", [false, false, false]],
  "quoted words are text": [`["yes", 'on', "1", "null", !!str 1]`, ["yes", "on", "1", "null", "1"]],
  "odd spellings are text": ["[yEs, oN, nULL]", ["yEs", "oN", "nULL"]],
  "nothing, a tilde and null are null": ["[~, null, Null]", [null, null, null]],
  "a leading zero means octal": ["[010, 0o17, 0777, -010]", [8, 15, 511, -8]],
  "an octal that is none is decimal": ["[08, 0.5]", [8, 0.5]],
  "hexadecimal and binary are read": ["[0x1F, 0b101]", [31, 5]],
  "underscores are dropped": ["[1_000, 1_0.5]", [1000, 10.5]],
  "dates and times of day are text": ["[2020-01-02, 1:30]", ["2020-01-02", "1:30"]],
  "large integers become what JSON has": [
    "[18446744073709551615, 18446744073709551616, -9223372036854775808]",
    [2 ** 64, 2 ** 64, -(2 ** 63)],
  ],
  "floats are read": ["[.5, 1., 1e3, +1.5, -2]", [0.5, 1, 1000, 1.5, -2]],
  "versions are text": ["[v1.2, 1.2.3, 1.2-rc]", ["v1.2", "1.2.3", "1.2-rc"]],
};
for (const [sentence, [text, expected]] of Object.entries(scalars)) {
  test(sentence, () => assert.deepEqual(valuesOf(`v: ${text}`), [{ v: expected }]));
}

const structures: Record<string, readonly [string, unknown]> = {
  "sequences may be as far left as their key": [
    "a:\n- b\n- c: 1\n  d: 2\n",
    { a: ["b", { c: 1, d: 2 }] },
  ],
  "scalars may go over lines": ["a: one\n  two\nb: 'x\n  y'\n", { a: "one two", b: "x y" }],
  "a blank line in a scalar is a line break": ["a: one\n\n  two\n", { a: "one\ntwo" }],
  "literal blocks keep their lines": [
    "a: |\n  x\n\n    y\nb: |-\n  z\n\nc: 1\n",
    { a: "x\n\n  y\n", b: "z", c: 1 },
  ],
  "folded blocks are read": ["a: >\n  x\n  y\n", { a: "x y\n" }],
  "comments are nothing": ["# c\na: 1 # c\n# d\nb: 'x#y' # z\n", { a: 1, b: "x#y" }],
  "anchors and merge keys are resolved": [
    "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n",
    { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } },
  ],
  "keys that are no text become text": [
    "1: a\ntrue: b\nonly: c\n",
    { 1: "a", true: "b", only: "c" },
  ],
  "a key named on is the word true": ["on: x\n", { true: "x" }],
  "a key may have the name of what objects inherit": [
    "constructor: a\n__proto__: b\n",
    JSON.parse('{"constructor":"a","__proto__":"b"}'),
  ],
  "empty collections and values are kept": [
    'a: {}\nb: []\nc:\nd: ""\n',
    { a: {}, b: [], c: null, d: "" },
  ],
  "JSON is YAML": ['{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
  "a line break in double quotes can be escaped": [
    'a: "x\\n\\n\\\n  \\  y\\\\\n  z"\n',
    { a: "x\n\n  y\\ z" },
  ],
  "escapes in double quotes are read": ['a: "x\\ty\\u00e9\\x41"\n', { a: "x\tyéA" }],
};
for (const [sentence, [text, expected]] of Object.entries(structures)) {
  test(sentence, () => assert.deepEqual(valuesOf(text), [expected]));
}

test("documents without content are left out, and the rest keeps its order", () => {
  const text =
    "%YAML 1.1\n---\n# nothing\n---\na: 1\n---\n\n--- # here\nb: |\n  ---x\n...\n---\n~\n";
  assert.deepEqual(valuesOf(text), [{ a: 1 }, { b: "---x\n" }]);
});

test("Windows line ends and a byte order mark are no content", () => {
  assert.deepEqual(valuesOf("\uFEFFa: 1\r\n---\r\nb: x\r\n"), [{ a: 1 }, { b: "x" }]);
});

const refusals: Record<string, readonly [string, { document: number; line: number }, RegExp]> = {
  "a key that is there twice": [
    "a: 1\n---\nb: 1\nc: 2\nb: 3\n",
    { document: 2, line: 5 },
    /the key "b" is there twice/,
  ],
  "a key that is there twice in another spelling": [
    "a:\n  1: x\n  '1': y\n",
    { document: 1, line: 3 },
    /the key "1" is there twice/,
  ],
  "broken indentation": [
    "a: 1\n---\n\n\nb: x\n  c: y\n",
    { document: 2, line: 5 },
    /could not read document 2/,
  ],
  "a bracket that is never closed": [
    "a: [1\n",
    { document: 1, line: 2 },
    /could not read document 1/,
  ],
  "a number that JSON has not": [
    "a: .inf\n",
    { document: 1, line: 1 },
    /\.inf does not fit into JSON/,
  ],
  "an alias of nothing": ["a: *x\n", { document: 1, line: 1 }, /x/],
};
for (const [sentence, [text, place, message]] of Object.entries(refusals)) {
  test(`${sentence} is refused with document and line`, () => {
    assert.throws(
      () => parseDocuments(text),
      (error) => {
        assert.ok(error instanceof DocumentError, `${error}`);
        assert.match(error.message, message);
        assert.deepEqual({ document: error.document, line: error.line }, place);
        return true;
      },
    );
  });
}

test("what is nested too deeply is refused", () => {
  assert.throws(() => parseDocuments(`a: ${"[".repeat(50_000)}`), /nested too deeply/);
});

test("an alias inside of its own anchor is refused", () => {
  assert.throws(() => parseDocuments("a: &x [*x]\n"), /nothing before it has the anchor x/);
});

test("aliases of aliases do not eat the memory", () => {
  const level = (n: number) =>
    `l${n}: &l${n} [${Array(30)
      .fill(`*l${n - 1}`)
      .join(",")}]\n`;
  const text = `l0: &l0 x\n${[1, 2, 3, 4, 5, 6, 7].map(level).join("")}`;
  assert.throws(() => parseDocuments(text), /expand to too much/);
});

const noObjects: Record<string, readonly [string, RegExp]> = {
  "a list": ["- a\n", /it is no object/],
  "a text": ["hello\n", /it is no object/],
  "an object without a kind": ["apiVersion: v1\n", /no apiVersion or no kind/],
  "an object whose name is no text": [
    "apiVersion: v1\nkind: Secret\nmetadata: {name: off}\n",
    /metadata.name of the Secret is false, which is no text; quote it/,
  ],
  "an object without a name": [
    "apiVersion: v1\nkind: Secret\n",
    /the metadata.name of the Secret is missing/,
  ],
};
for (const [sentence, [text, message]] of Object.entries(noObjects)) {
  test(`${sentence} is no component`, () => {
    assert.throws(() => parseComponents(text), message);
  });
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "yes",
    "0o7",
    "1_0",
    "a: b",
    "x #y",
    "- a",
    "|",
    "1e3",
    "{}",
    "~",
    "a\n b\n",
    "\n",
    " a",
    "é",
    "---",
    "0x1",
    "=",
    "<<",
  ),
  fc
    .array(fc.constantFrom("line", "  indented", "", "# no comment", "key: v"))
    .map((lines) => lines.join("\n")),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    text,
    tie("array"),
    tie("object"),
  ),
  array: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).object as fc.Arbitrary<object>;

test("what is written is read back the same, by both readers", () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1, maxLength: 3 }), (objects) => {
      const plain = JSON.parse(JSON.stringify(objects)) as object[];
      const written = formatDocuments(plain);
      const sources = splitDocuments(written);
      assert.deepEqual(sources.map(readWhole), plain);
      for (const [index, source] of sources.entries()) {
        const fast = readBlocks(source.text);
        if (fast !== undefined) assert.deepEqual(fast, plain[index]);
      }
    }),
    { numRuns: 300 },
  );
});

test("the fast reader never reads anything else than the whole one", () => {
  const line = fc.tuple(
    fc.constantFrom("", "  ", "    "),
    fc.constantFrom("", "- ", "-   "),
    fc.constantFrom("a: ", "b:", '"c": ', "", "on: ", "a: |", "b: |-", "# "),
    fc.constantFrom(
      "x",
      "1",
      "yes",
      "'q",
      '"q"',
      '"q\\\\',
      '"q\\',
      '"q\\ ',
      '\\  q"',
      'q"',
      "q'",
      "{}",
      "[a]",
      "x: y",
      "x #y",
      "",
      '"',
      "&a x",
      "*a",
      "-x",
      "- y",
    ),
  );
  const yaml = fc
    .array(
      line.map((parts) => parts.join("")),
      { maxLength: 6 },
    )
    .map((lines) => `${lines.join("\n")}\n`);
  fc.assert(
    fc.property(yaml, (lines) => {
      const fast = readBlocks(lines);
      if (fast !== undefined) assert.deepEqual(fast, readWhole({ text: lines, index: 1, line: 1 }));
    }),
    { numRuns: 1000 },
  );
});

const item = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const listOf = (...items: readonly unknown[]) => ({ apiVersion: "v1", kind: "List", items });

test("a List becomes its items, also a List within a List", () => {
  const text = formatDocuments([item("a"), listOf(item("b"), listOf(item("c"))), item("d")]);
  assert.deepEqual(parseComponents(text), ["a", "b", "c", "d"].map(item));
  assert.deepEqual(parseComponents(formatDocuments([listOf()])), []);
  assert.deepEqual(parseComponents("apiVersion: v1\nkind: List\n"), []);
});

const badLists: Readonly<Record<string, readonly [object, RegExp]>> = {
  "items are no array": [{ apiVersion: "v1", kind: "List", items: {} }, /items of the List/],
  "an item is no object": [listOf("text"), /item 1 of the List: it is no object/],
  "an item has no name": [
    listOf(item("a"), { apiVersion: "v1", kind: "Secret" }),
    /item 2 of the List: the metadata.name of the Secret is missing/,
  ],
};
for (const [sentence, [list, message]] of Object.entries(badLists)) {
  test(`a List is refused where ${sentence}`, () => {
    const text = formatDocuments([item("a"), list]);
    assert.throws(
      () => parseComponents(text),
      (error) =>
        error instanceof DocumentError && error.document === 2 && message.test(error.message),
    );
  });
}
