import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { parseYaml, parseYamlDocument, parseYamlDocuments, parseYamlValues } from "./index.ts";

const rows: Record<string, string> = {
  "scalars of all types": "a: 1\nb: 1.5\nc: yes\nd: true\ne: ~\nf: 'x'\ng: \"y\"\nh: 0x1f\n",
  "keys that are no text": "1: a\ntrue: b\n~: c\n1.5: d\n",
  "flow collections": "{a: [1, {b: 2}, c: 3], d}\n",
  "block texts": "a: |\n  x\n  y\nb: >-\n  x\n  y\n",
  "anchors and aliases": "a: &a {b: [1, 2]}\nc: *a\nd: [*a, *a]\n",
  "an anchor that is set anew": "- &a 1\n- *a\n- &a 2\n- *a\n",
  "merge keys": "a: &a {b: 1, c: 2}\nd: {<<: *a, c: 3}\ne: {c: 3, <<: *a}\n",
  "lists of merge keys": "a: &a {b: 1}\nc: &c {b: 2, d: 3}\ne: {<<: [*a, *c], f: 4}\n",
  "two merge keys": "a: &a {b: 1}\nc: &c {d: 3}\ne:\n  <<: *a\n  <<: *c\n",
  "names that objects inherit": "__proto__: {a: 1}\nconstructor: b\n",
  "no content": "# nothing\n",
  "explicit keys": "? a\n: 1\n? b\n",
};

describe("YAML that others wrote", () => {
  for (const [name, text] of Object.entries(rows)) {
    it(`is what the library makes of it: ${name}`, () => {
      const merging = [{ merge: true }, { version: "1.1" } as const];
      for (const options of text.includes("<<") ? merging : [{}, ...merging]) {
        assert.deepEqual(parseYaml(text, options), parse(text, options));
      }
    });
  }

  it("is what was written, whatever that was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stringify(value);
        assert.deepEqual(parseYaml(text), parse(text));
      }),
    );
  });

  it("may be several documents", () => {
    assert.deepEqual(parseYamlValues("a: 1\n---\n---\n- b\n"), [{ a: 1 }, null, ["b"]]);
    assert.deepEqual(parseYamlValues(""), []);
  });

  const duplicates: Record<string, string> = {
    "in a block": "a: 1\nb: 2\na: 3\n",
    "in another spelling": "a: 1\n'a': 2\n",
    "deep inside": "a:\n  - b: {c: 1, c: 2}\n",
    "in a key": "? {a: 1, a: 2}\n: 1\n",
    "of numbers": "1: a\n0x1: b\n",
    "of nothing": "~: a\nnull: b\n",
  };
  for (const [name, text] of Object.entries(duplicates)) {
    it(`that has a key twice is refused as the library refuses it: ${name}`, () => {
      const code = "Malformed";
      assert.throws(() => parseYaml(text), {
        code,
        message: /^Map keys must be unique at line \d/,
      });
      assert.throws(() => parse(text), /^YAMLParseError: Map keys must be unique at line \d/);
      const { errors } = parseYamlDocument(text, { allowDuplicates: true });
      assert.deepEqual(errors, []);
    });
  }

  const refused: Record<string, [text: string, code: string]> = {
    "is malformed": ["a: [", "Malformed"],
    "has several documents where one is read": ["a\n---\nb\n", "Malformed"],
    "is too large": [`a: ${"x".repeat(3 * 1024 * 1024)}`, "TooLarge"],
    "is nested deeply": [`${"[".repeat(1500)}${"]".repeat(1500)}`, "TooDeep"],
    "has more tags than anybody names": [`${"%TAG ! a:\n".repeat(65)}---\na\n`, "TooManyTags"],
    "names an anchor that is not there": ["a: *b\n", "BadAlias"],
    "names an anchor inside of itself": ["a: &a [*a]\n", "BadAlias"],
    "stands for too many nodes": [bomb(9), "BadAlias"],
    "stands for too long a text": [
      `a: &a ${"x".repeat(9999)}\nb: [${"*a,".repeat(999)}]`,
      "BadAlias",
    ],
    "merges what is no map": ["a: {<<: 1}\n", "BadMerge"],
    "has a list for a key": ["[a]: 1\n", "BadKey"],
  };
  for (const [name, [text, code]] of Object.entries(refused)) {
    it(`that ${name} is refused`, () => {
      assert.throws(() => parseYaml(text, { merge: true }), { code });
    });
  }

  it("that is nested as deeply as the stack holds is refused", () => {
    for (const text of ["[".repeat(500_000), "{a: ".repeat(200_000), "- ".repeat(500_000)]) {
      assert.equal(parseYamlDocument(text).errors.length > 0, true);
    }
  });

  it("takes an alias as often as it is used", () => {
    const uses = Array.from({ length: 5000 }, () => "*a");
    assert.equal(parseYamlValues(`- &a {b: 1}\n- [${uses.join(",")}]\n`).length, 1);
  });

  it("says where the first error is, and shows nothing of the text", () => {
    const [document] = parseYamlDocuments("token: secret\na: b: secret\n");
    const [error] = document?.errors ?? [];
    assert.equal(error?.linePos?.[0].line, 2);
    assert.doesNotMatch(error?.message ?? "", /secret/);
  });
});

/** Levels of lists, each of nine times the list before. */
function bomb(levels: number): string {
  const lists = Array.from({ length: levels }, (_, i) => `- &a${i + 1} [${`*a${i},`.repeat(9)}]`);
  return `- &a0 [x]\n${lists.join("\n")}\n`;
}
