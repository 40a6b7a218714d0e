import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ParseError } from "../errors.ts";
import {
  fieldSelectorOf,
  namespacesExcludedSelector,
  parseFieldSelector,
} from "./field-selector.ts";

describe("parseFieldSelector prints back as apimachinery v0.34.4 does", () => {
  const rows: Record<string, [input: string, printed: string]> = {
    "terms are put in order": [
      "metadata.namespace!=b,metadata.namespace!=a",
      "metadata.namespace!=a,metadata.namespace!=b",
    ],
    "a double equals becomes one": ["a==b", "a=b"],
    "empty terms are dropped": ["a=b,,c=d,", "a=b,c=d"],
    "an escaped comma stays in the value": ["a=x\\,y", "a=x\\,y"],
    "an escaped equals sign stays in the value": ["a=x\\=y", "a=x\\=y"],
    "an escaped backslash stays in the value": ["a=x\\\\", "a=x\\\\"],
    "a field may have no value": ["a=,b!=", "a=,b!="],
    "a value may have no field": ["=b", "=b"],
    "a bare operator says nothing": ["=", ""],
    "blanks belong to the field": ["a=b, c=d", " c=d,a=b"],
    "nothing selects everything": ["", ""],
  };
  for (const [name, [input, printed]] of Object.entries(rows)) {
    it(name, () => assert.equal(parseFieldSelector(input).toString(), printed));
  }
});

describe("parseFieldSelector refuses in Kubernetes' words", () => {
  const rows: Record<string, [input: string, reason: string]> = {
    "a term without an operator": ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
    "an equals sign in a value": [
      "a=x=y",
      "invalid field selector: unescaped character in value: 61",
    ],
    "an unknown escape": ["a=x\\y", "invalid field selector: invalid escape sequence: \\y"],
    "a backslash at the end": ["a=x\\", "invalid field selector: invalid escape sequence: \\"],
  };
  for (const [name, [input, reason]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => parseFieldSelector(input),
        (error) => error instanceof ParseError && error.reason === reason,
      );
    });
  }
});

describe("matching", () => {
  it("takes an absent field for the empty value", () => {
    assert.ok(parseFieldSelector("spec.nodeName=").matches({}));
    assert.ok(!parseFieldSelector("spec.nodeName!=").matches({}));
    assert.ok(parseFieldSelector("a=x\\,y").matches({ a: "x,y" }));
  });

  it("needs all terms to hold", () => {
    const selector = parseFieldSelector("a=1,b!=2");
    assert.ok(selector.matches({ a: "1", b: "3" }));
    assert.ok(!selector.matches({ a: "1", b: "2" }));
  });

  it("tells the value that a field must have", () => {
    assert.equal(parseFieldSelector("a!=0,metadata.name=x").requiredValue("metadata.name"), "x");
    assert.equal(parseFieldSelector("a!=0").requiredValue("a"), undefined);
  });
});

describe("namespacesExcludedSelector", () => {
  it("excludes every namespace by a term of its own", () => {
    const selector = namespacesExcludedSelector(["a", "b"]);
    assert.equal(selector.toString(), "metadata.namespace!=a,metadata.namespace!=b");
    assert.ok(!selector.matches({ "metadata.namespace": "b" }));
    assert.ok(selector.matches({ "metadata.namespace": "c" }));
  });

  it("of no namespace selects everything", () => {
    assert.ok(namespacesExcludedSelector([]).isEmpty);
  });
});

describe("properties", () => {
  it("any value survives printing and reading", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("=", "!="),
        (value, operator) => {
          const selector = fieldSelectorOf([{ field: "a", operator, value }]);
          assert.deepEqual(parseFieldSelector(selector.toString()).requirements, [
            { field: "a", operator, value },
          ]);
        },
      ),
    );
  });
});
