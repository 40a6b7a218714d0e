import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ParseError } from "../errors.ts";
import { fieldPath } from "../field/path.ts";
import {
  type LabelSelector,
  labelSelectorAsSelector,
  labelSelectorFromSet,
  parseLabelSelector,
  validateLabelSelector,
} from "./label-selector.ts";

describe("parseLabelSelector prints back as apimachinery v0.34.4 does", () => {
  const rows: Record<string, [input: string, printed: string]> = {
    "every operator": ["a=b,c!=d,e in (x,y),!f,g,h>5,i<5", "a=b,c!=d,e in (x,y),!f,g,h>5,i<5"],
    "blanks are skipped": [" x in (foo,,baz) , y,z notin ()", "x in (,baz,foo),y,z notin ()"],
    "keys are put in order": ["b=1,a=2", "a=2,b=1"],
    "a double equals stays": ["a==b", "a==b"],
    "no value is the empty value": ["a=", "a="],
    "values are a set in order": ["a in (b,a,b)", "a in (a,b)"],
    "operators may be values and keys": ["in in (in,notin)", "in in (in,notin)"],
    "a lone comma is the empty value": ["a in (,)", "a in ()"],
    "nothing selects everything": ["", ""],
  };
  for (const [name, [input, printed]] of Object.entries(rows)) {
    it(name, () => assert.equal(parseLabelSelector(input).toString(), printed));
  }
});

describe("parseLabelSelector refuses in Kubernetes' words", () => {
  const operators = "in, notin, =, ==, !=, gt, lt";
  const requirement = "unable to parse requirement: ";
  const rows: Record<string, [input: string, reason: string]> = {
    "a second key": ["a b", `${requirement}found 'b', expected: ${operators}`],
    "a comma at the end": ["a,", "found '', expected: identifier after ','"],
    "a comma at the start": [",a", "found ',', expected: !, identifier, or 'end of string'"],
    "an operator at the start": ["=a", "found '=', expected: !, identifier, or 'end of string'"],
    "a set without parentheses": ["a in", `${requirement}found '' expected: '('`],
    "an open parenthesis": ["a in (", `${requirement}found '', expected: ',', ')' or identifier`],
    "an unfinished set": ["a in (b", `${requirement}found '', expected: ',' or ')'`],
    "a blank in a set": ["a in (b c)", `${requirement}found 'c', expected: ',' or ')'`],
    "two commas before the end": [
      "a in (,,)",
      `${requirement}found ')', expected: ',', or identifier`,
    ],
    "a bare exclamation mark": ["!", `${requirement}found '', expected: identifier`],
    "a value for what must not exist": ["!a=b", "found '=', expected: ',' or 'end of string'"],
    "a symbol for a value": ["a=(", `${requirement}found '(', expected: identifier`],
    "a word where a number is due": [
      "a>x",
      `${requirement}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    "an invalid key": [
      "a/b/c=d",
      `${requirement}<nil>: Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    "an invalid value": [
      "a=-",
      `${requirement}values[0][a]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
  };
  for (const [name, [input, reason]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => parseLabelSelector(input),
        (error) => error instanceof ParseError && error.reason === reason,
      );
    });
  }
});

describe("matching", () => {
  const rows: Record<string, [selector: string, labels: Record<string, string>, matches: boolean]> =
    {
      "an equal value": ["a=b", { a: "b" }, true],
      "another value": ["a=b", { a: "c" }, false],
      "an absent label is not the empty value": ["a=", {}, false],
      "not equal holds for an absent label": ["a!=b", {}, true],
      "in a set": ["a in (b,c)", { a: "c" }, true],
      "an absent label is in no set": ["a in (b)", {}, false],
      "not in a set holds for an absent label": ["a notin (b)", {}, true],
      "not in a set": ["a notin (b)", { a: "b" }, false],
      "an empty label exists": ["a", { a: "" }, true],
      "an absent label does not exist": ["!a", {}, true],
      "a greater number": ["a>9", { a: "10" }, true],
      "an equal number is not greater": ["a>9", { a: "9" }, false],
      "a word is not greater": ["a>9", { a: "x" }, false],
      "a number past 64 bits is not greater": ["a>9", { a: "9223372036854775808" }, false],
      "a smaller number": ["a<9", { a: "-10" }, true],
      "all requirements must hold": ["a=1,b=2", { a: "1", b: "3" }, false],
      "what every object inherits is no label": ["constructor", {}, false],
      "nothing asked matches all": ["", { a: "1" }, true],
    };
  for (const [name, [selector, labels, matches]] of Object.entries(rows)) {
    it(name, () => assert.equal(parseLabelSelector(selector).matches(labels), matches));
  }

  it("tells the one value that a key must have", () => {
    assert.equal(parseLabelSelector("a in (b),c").requiredValue("a"), "b");
    assert.equal(parseLabelSelector("a in (b,c)").requiredValue("a"), undefined);
    assert.equal(parseLabelSelector("a!=b").requiredValue("a"), undefined);
  });
});

describe("a LabelSelector", () => {
  it("that is absent selects nothing, an empty one everything", () => {
    assert.equal(labelSelectorAsSelector(undefined).matches({}), false);
    assert.equal(labelSelectorAsSelector(undefined).isEmpty, false);
    assert.equal(labelSelectorAsSelector({}).matches({ a: "b" }), true);
    assert.equal(labelSelectorAsSelector({}).isEmpty, true);
  });

  it("joins labels and expressions", () => {
    const selector: LabelSelector = {
      matchLabels: { z: "1" },
      matchExpressions: [
        { key: "a", operator: "In", values: ["y", "x"] },
        { key: "b", operator: "NotIn", values: ["x"] },
        { key: "c", operator: "Exists" },
        { key: "d", operator: "DoesNotExist" },
      ],
    };
    assert.equal(labelSelectorAsSelector(selector).toString(), "a in (x,y),b notin (x),c,!d,z=1");
  });

  const refused: Record<string, [expression: object, reason: string]> = {
    "an unknown operator": [
      { key: "a", operator: "Gt", values: ["1"] },
      '"Gt" is not a valid label selector operator',
    ],
    "an inherited name for an operator": [
      { key: "a", operator: "constructor" },
      '"constructor" is not a valid label selector operator',
    ],
    "an empty set": [
      { key: "a", operator: "In" },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    "values for Exists": [
      { key: "a", operator: "Exists", values: ["b"] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    ],
  };
  for (const [name, [expression, reason]] of Object.entries(refused)) {
    it(`is refused for ${name}`, () => {
      const selector = { matchExpressions: [expression] } as LabelSelector;
      assert.throws(
        () => labelSelectorAsSelector(selector),
        (error) => error instanceof ParseError && error.reason === reason,
      );
    });
  }

  it("is validated field by field in a spec", () => {
    const selector = {
      matchLabels: { a: "-" },
      matchExpressions: [
        { key: "", operator: "In" },
        { key: "a", operator: "Exists", values: ["b"] },
        { key: "a", operator: "Gt", values: ["-"] },
      ],
    } as unknown as LabelSelector;
    assert.deepEqual(
      validateLabelSelector(selector, fieldPath("spec", "selector")).map(({ field, type }) => [
        field,
        type,
      ]),
      [
        ["spec.selector.matchLabels", "FieldValueInvalid"],
        ["spec.selector.matchExpressions[0].values", "FieldValueRequired"],
        ["spec.selector.matchExpressions[0].key", "FieldValueInvalid"],
        ["spec.selector.matchExpressions[0].key", "FieldValueInvalid"],
        ["spec.selector.matchExpressions[1].values", "FieldValueForbidden"],
        ["spec.selector.matchExpressions[2].operator", "FieldValueInvalid"],
        ["spec.selector.matchExpressions[2].values[0]", "FieldValueInvalid"],
      ],
    );
    assert.deepEqual(validateLabelSelector(undefined, fieldPath("spec")), []);
  });
});

describe("properties", () => {
  const key = fc.constantFrom("a", "b", "in", "x.y/z", "A_1", "1");
  const labels = fc.dictionary(
    fc.constantFrom("a", "b", "x.y/z"),
    fc.stringMatching(/^[a-z0-9]{0,3}$/),
  );
  const requirement = fc.oneof(
    fc.tuple(key, fc.constantFrom("=", "==", "!="), fc.stringMatching(/^[a-z0-9]{0,3}$/)),
    fc.tuple(key, fc.constantFrom(">", "<"), fc.stringMatching(/^[0-9]{1,3}$/)),
    fc.tuple(
      key,
      fc.constantFrom(" in ", " notin "),
      fc.stringMatching(/^\([a-z](,[a-z]){0,3}\)$/),
    ),
    fc.tuple(fc.constantFrom("", "!"), key),
  );
  const selector = fc
    .array(requirement)
    .map((list) => list.map((parts) => parts.join("")).join(","));

  it("what is printed is read back and matches the same", () => {
    fc.assert(
      fc.property(selector, labels, (text, labels) => {
        const first = parseLabelSelector(text);
        const second = parseLabelSelector(first.toString());
        assert.equal(second.toString(), first.toString());
        assert.equal(second.matches(labels), first.matches(labels));
      }),
    );
  });

  it("a set of labels is matched by the selector made of it", () => {
    fc.assert(fc.property(labels, (labels) => labelSelectorFromSet(labels).matches(labels)));
  });

  it("any text is read or refused with a ParseError", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c/,=!()<> \0-]{0,12}$/), (text) => {
        try {
          parseLabelSelector(text);
        } catch (error) {
          assert.ok(error instanceof ParseError);
        }
      }),
    );
  });
});
