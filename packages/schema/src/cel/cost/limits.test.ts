import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JSONValue } from "../../json.ts";
import type { JSONSchemaProps } from "../../json-schema-props.ts";
import { compileSchema } from "../../structural-schema.ts";
import { validate } from "../../validate.ts";

const text: JSONSchemaProps = { type: "string" };
const texts: JSONSchemaProps = { type: "array", items: text };
const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `item-${i}`);
const LIMIT =
  "f: Invalid value: \"$\": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: m";

function errorsOf(
  schema: JSONSchemaProps,
  rules: readonly string[],
  data: JSONValue,
): readonly string[] {
  const compiled = compileSchema({
    type: "object",
    properties: {
      f: {
        ...schema,
        "x-kubernetes-validations": rules.map((rule) => ({ rule, message: "m" })),
      },
    },
  });
  return validate(compiled, { f: data }).errors.map(String);
}

describe("no rule can hold the process", () => {
  const rows: Record<string, [rule: string, schema: JSONSchemaProps, data: JSONValue]> = {
    "loops in loops": ["self.all(a, self.all(b, self.all(c, a + b != c)))", texts, many(200)],
    "a text that grows": ["self.replace('a', self).size() > 0", text, "a".repeat(5000)],
    "lists that grow": ["self.all(x, self + self + [x] != [])", texts, many(20_000)],
    "lists that are compared again and again": ["self.all(x, self == self)", texts, many(20_000)],
    "sets that are compared again and again": [
      "self.all(x, self == self)",
      { ...texts, "x-kubernetes-list-type": "set" },
      many(20_000),
    ],
    "short texts, which cost nothing": [
      "self.all(x, self.min() == x || true)",
      texts,
      many(20_000),
    ],
    "a long text whose characters are counted again and again": [
      "self.l.all(x, self.s.size() > 5)",
      { type: "object", properties: { l: texts, s: text } },
      { l: many(20_000), s: "x".repeat(1_000_000) },
    ],
    "all matches of a pattern that looks far ahead": [
      "self.findAll('a*?b|a').size() > 0",
      text,
      "a".repeat(40_000),
    ],
    "a large pattern on a long text": [
      "self.find('(x?){1000}[yz]') == ''",
      text,
      "x".repeat(40_000),
    ],
    "numbers of very many digits": ["isQuantity(self)", text, "9".repeat(1_000_000)],
  };
  for (const [name, [rule, schema, data]] of Object.entries(rows)) {
    it(name, () => {
      const expected = LIMIT.replace("$", schema.type ?? "");
      assert.deepEqual(errorsOf(schema, [rule], data), [expected]);
    });
  }

  it("a pattern of the data may be anything", () => {
    const patterns = Array.from({ length: 2000 }, (_, i) => `${"x{1000}".repeat(15)}${i}`);
    assert.equal(errorsOf(texts, ["self.all(p, ''.matches(p) || true)"], patterns).length, 1);
  });
});

describe("expressions are limited where cel-go limits them", () => {
  const problemOf = (rule: string): string => errorsOf(text, [rule], "x").join();
  const rows: Record<string, [rule: string, problem: RegExp]> = {
    "in length": [
      `'${"x".repeat(100_000)}' == self`,
      /expression code point size exceeds limit: size: 100010, limit 100000/,
    ],
    "in depth": [
      `${"(".repeat(300)}true${")".repeat(300)}`,
      /expression recursion limit exceeded: 250/,
    ],
    "in the length of a chain": [
      `self == ''${" + ''".repeat(300)}`,
      /expression recursion limit exceeded: 250/,
    ],
    "in what macros make of them": [
      `optional.of(self)${".optMap(x, x)".repeat(200)}.hasValue()`,
      /expression node limit exceeded: 100000/,
    ],
  };
  for (const [name, [rule, problem]] of Object.entries(rows)) {
    it(name, () => assert.match(problemOf(rule), problem));
  }

  it("but not in how many alternatives there are", () => {
    assert.equal(problemOf(`self == 'x'${" || self == 'y'".repeat(5000)}`), "");
  });
});
