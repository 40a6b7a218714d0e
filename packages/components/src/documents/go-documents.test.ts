import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseDocuments } from "./documents.ts";
import { formatGoDocuments } from "./go-documents.ts";

describe("formatGoDocuments", () => {
  const long = "word ".repeat(20).trim();
  // As sigs.k8s.io/yaml writes them; integration tests hold it against clusterctl itself.
  const rows: Record<string, [value: unknown, text: string]> = {
    "keys are sorted, lists are not indented": [
      { b: [1, { c: 2, a: "x" }], a: {} },
      "a: {}\nb:\n- 1\n- a: x\n  c: 2\n",
    ],
    "lists may hold lists": [{ a: [["x", ["z"]], []] }, "a:\n- - x\n  - - z\n- []\n"],
    "numbers inside of keys count": [
      { a10: 1, a2: 1, a01: 1, a1: 1 },
      "a1: 1\na01: 1\na2: 1\na10: 1\n",
    ],
    "other signs come ahead of letters": [
      { ab: 1, aB: 1, "a-b": 1, a1: 1 },
      "a-b: 1\na1: 1\naB: 1\nab: 1\n",
    ],
    "what looks like something else is quoted": [
      { a: "1", b: "yes", c: "~", d: "2001-01-01", e: "1:30", f: "", g: "0x1" },
      'a: "1"\nb: "yes"\nc: "~"\nd: "2001-01-01"\ne: "1:30"\nf: ""\ng: "0x1"\n',
    ],
    "what looks like syntax is quoted otherwise": [
      { a: "a: b", b: "- x", c: "it's", d: "'x'", e: "#", f: " x" },
      "a: 'a: b'\nb: '- x'\nc: it's\nd: '''x'''\ne: '#'\nf: ' x'\n",
    ],
    "several lines are a block": [
      { a: "x\ny", b: "x\n", c: "x\n\n", d: "\nx", e: "x \ny" },
      'a: |-\n  x\n  y\nb: |\n  x\nc: |+\n  x\n\nd: |2-\n\n  x\ne: "x \\ny"\n',
    ],
    "long texts are broken": [
      { a: [long], b: `${long}:` },
      `a:\n- ${"word ".repeat(16).trim()}\n  word word word word\nb: '${"word ".repeat(16).trim()}\n  word word word word:'\n`,
    ],
    "signs that are not printed are escaped": [
      { a: "\u0001", b: "\t", c: "é", d: "😀" },
      'a: "\\x01"\nb: "\\t"\nc: é\nd: "\\U0001F600"\n',
    ],
    "numbers are as Go has them": [
      { a: 1.5, b: 1e21, c: 1234567.5, d: 0.00001, e: -5, f: true, g: null },
      "a: 1.5\nb: 1e+21\nc: 1.2345675e+06\nd: 1e-05\ne: -5\nf: true\ng: null\n",
    ],
  };
  for (const [name, [value, text]] of Object.entries(rows)) {
    it(name, () => assert.equal(formatGoDocuments([value as object]), text));
  }

  it("puts a line between documents", () => {
    assert.equal(formatGoDocuments([{ a: 1 }, { b: 2 }]), "a: 1\n---\nb: 2\n");
  });

  it("writes what is read back the same", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab1 :#-'\"\n\\é{}[],&*!|>%@`?yn~0.") });
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        text,
        fc.integer(),
        fc.boolean(),
        tie("list"),
        tie("map"),
      ),
      list: fc.array(tie("node"), { maxLength: 3 }),
      map: fc.dictionary(text, tie("node"), { maxKeys: 3, noNullPrototype: true }),
    })).map;
    fc.assert(
      fc.property(value, (map) => {
        const object = { kind: "X", spec: map };
        const [read] = parseDocuments(formatGoDocuments([object]));
        assert.deepEqual(read?.value, object);
      }),
      { numRuns: 500 },
    );
  });
});
