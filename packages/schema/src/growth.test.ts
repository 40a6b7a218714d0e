import { growing, pieces, testGrowth } from "@rookery/testing";
import {
  applyDefaults,
  checkStructural,
  compileExpression,
  compileSchema,
  type JSONObject,
  type JSONSchemaProps,
  type JSONValue,
  parseIpAddress,
  parseUrl,
  prune,
  validate,
} from "./index.ts";

const text: JSONSchemaProps = { type: "string" };
const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const map = <T>(length: number, item: (index: number) => T) =>
  Object.fromEntries(list(length, (index) => [`k${index}`, item(index)]));

/** A schema of the field "f", and what it is given there. */
const given = (schema: JSONSchemaProps, build: (size: number) => JSONValue) => {
  const compiled = compileSchema({ type: "object", properties: { f: schema } });
  return growing({
    build: (n) => ({ f: build(n) }) as JSONObject,
    run: (object) => {
      const whole = applyDefaults(compiled, prune(compiled, object).object);
      return [validate(compiled, whole), validate(compiled, whole, { old: object })];
    },
  });
};
const array = (items: JSONSchemaProps, more: Partial<JSONSchemaProps> = {}): JSONSchemaProps => ({
  type: "array",
  items,
  ...more,
});
const entry: JSONSchemaProps = {
  type: "object",
  properties: { name: text, value: { ...text, default: "x" } },
  required: ["name"],
};
const set = array(text, { "x-kubernetes-list-type": "set" });
const keyed = array(entry, {
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
});
/** As many allowed values as there are values. */
const inEnum = (allowed: (index: number) => JSONValue, value: (index: number) => JSONValue) =>
  growing({
    build: (n) => ({
      schema: compileSchema({
        type: "object",
        properties: { f: array({ enum: list(n, allowed) }) },
      }),
      object: { f: list(n, value) } as JSONObject,
    }),
    run: ({ schema, object }) => validate(schema, object),
  });
const open: JSONSchemaProps = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const condition = (expression: string) => compileExpression(expression, { x: "dyn" });

testGrowth({
  "a set of different items": given(set, (n) => list(n, (i) => `t${i}`)),
  "a set of equal items": given(set, (n) => list(n, () => "t")),
  "a set of objects": given(
    array({ ...open, "x-kubernetes-map-type": "atomic" }, { "x-kubernetes-list-type": "set" }),
    (n) => list(n, (i) => ({ a: { b: i } })),
  ),
  "a list by keys": given(keyed, (n) => list(n, (i) => ({ name: `n${i}` }))),
  "a list by equal keys": given(keyed, (n) => list(n, () => ({ name: "n" }))),
  "a list of the wrong type": given(array(text), (n) => list(n, (i) => i)),
  "unknown fields": given(entry, (n) => ({ name: "a", ...map(n, (i) => i) })),
  "unknown fields of items": given(keyed, (n) => list(n, (i) => ({ name: `n${i}`, x: i }))),
  "wrong values below a long key": given(
    { type: "object", additionalProperties: { type: "object", additionalProperties: text } },
    (n) => ({ ["x".repeat(16 * n)]: map(n, (i) => i) }),
  ),
  "unknown fields below a long key": given(
    { type: "object", additionalProperties: entry },
    (n) => ({ ["x".repeat(16 * n)]: { name: "a", ...map(n, (i) => i) } }),
  ),
  "a map of many keys": given({ type: "object", additionalProperties: entry }, (n) =>
    map(n, () => ({ name: "a" })),
  ),
  "what is not looked at": given(open, (n) => map(n, () => [{}])),
  "deep objects that are not looked at": given(open, (n) =>
    Array.from({ length: Math.min(n, 900) }).reduce<JSONValue>((inner) => ({ a: inner }), n),
  ),
  "a long text with a pattern": given({ ...text, pattern: "^(a+)+$" }, (n) => `${"a".repeat(n)}!`),
  "many texts with a pattern": given(array({ ...text, pattern: "^(a|aa)+$" }), (n) =>
    list(n, () => "aaaaaaaa!"),
  ),
  "a long text with a length": given({ ...text, maxLength: 3 }, (n) => "\u{1f427}".repeat(16 * n)),
  "many texts that are none of many": given(
    array({ ...text, enum: list(50, (i) => `e${i}`) }),
    (n) => list(n / 10, (i) => `x${i}`),
  ),
  "many texts of a long enum": inEnum(
    (i) => `e${i}`,
    (i) => `e${i}`,
  ),
  "many texts that are not in a long enum": inEnum(
    (i) => `e${i}`,
    (i) => `x${i}`,
  ),
  "many numbers of a long enum": inEnum(
    (i) => i,
    (i) => i + 0.5,
  ),
  "long texts of a format": given({ ...text, format: "date-time" }, (n) => "1-".repeat(16 * n)),
  "a long host name": given({ ...text, format: "hostname" }, (n) => "a-.".repeat(16 * n)),
  "a long mail address": given({ ...text, format: "email" }, (n) => "a.".repeat(16 * n)),
  "a long URI": given({ ...text, format: "uri" }, (n) => `http://${"%a".repeat(16 * n)}`),
  "a long duration": given({ ...text, format: "duration" }, (n) => "1h".repeat(16 * n)),
  "a rule for each item": given(
    array(
      { ...text, "x-kubernetes-validations": [{ rule: "self.size() < 100" }], maxLength: 100 },
      { maxItems: 100_000 },
    ),
    (n) => list(n, () => "a"),
  ),
  "a rule that compares all with all": given(
    {
      ...array({ ...text, maxLength: 9 }, { maxItems: 100 }),
      "x-kubernetes-validations": [{ rule: "self.all(a, self.exists_one(b, a == b))" }],
    },
    (n) => list(n, (i) => `t${i}`),
  ),
  "a schema of many properties": growing({
    build: (n) => ({ type: "object", properties: map(n / 4, () => text) }) as JSONSchemaProps,
    run: (schema) => [compileSchema(schema), checkStructural(schema)],
  }),
  "a schema of many values": growing({
    build: (n) => ({ type: "string", enum: list(n, (i) => `e${i}`) }) as JSONSchemaProps,
    run: (schema) => [compileSchema(schema), checkStructural(schema)],
  }),
  "a schema of many defaults": growing({
    build: (n) => ({ type: "array", items: text, default: list(n, (i) => i) }) as JSONSchemaProps,
    run: (schema) => checkStructural({ type: "object", properties: { f: schema } }),
  }),
  "a condition of many parts": growing({
    build: (n) => list(n / 4, (i) => `x.a${i} == ${i}`).join(" || "),
    run: condition,
  }),
  "a condition of deep brackets": growing({
    build: (n) => `${"(".repeat(n)}true${")".repeat(n)}`,
    run: condition,
  }),
  "a condition with a long list": growing({
    build: (n) => `1 in [${pieces(n, (i) => `${i},`)}1]`,
    run: condition,
  }),
  "a condition with a long map": growing({
    build: (n) => `1 in {${pieces(n, (i) => `${i}: 1,`)}0: 1}`,
    run: condition,
  }),
  "a condition with a long text": growing({
    build: (n) => `"${"\\n".repeat(8 * n)}" == "a"`,
    run: condition,
  }),
  "a condition that does not end": growing({
    build: (n) => `"${"x".repeat(16 * n)}`,
    run: condition,
  }),
  "a condition of many mistakes": growing({ build: (n) => "@ ".repeat(n), run: condition }),
  "a condition of many signs": growing({ build: (n) => `${"!".repeat(n)}true`, run: condition }),
  "a long address": growing({
    build: (n) => "1:".repeat(16 * n),
    run: (value) => parseIpAddress(value),
  }),
  "a long URL": growing({
    build: (n) => `http://a/${"%61".repeat(16 * n)}?${"a=b&".repeat(n)}`,
    run: (value) => parseUrl(value),
  }),
});
