import type { JSONObject, JSONSchemaProps, JSONValue } from "@rookery/schema";

const text: JSONSchemaProps = { type: "string" };
const number: JSONSchemaProps = { type: "integer" };

/** A schema with rules. */
const ruled = (schema: JSONSchemaProps, ...rules: readonly object[]): JSONSchemaProps =>
  ({ ...schema, "x-kubernetes-validations": rules }) as JSONSchemaProps;
const object = (properties: { readonly [name: string]: JSONSchemaProps }): JSONSchemaProps => ({
  type: "object",
  properties,
});
const short: JSONSchemaProps = { type: "string", maxLength: 20 };

/** Rules of every kind, each on a field of its own. */
export const ruleSchema: JSONSchemaProps = {
  type: "object",
  properties: {
    spec: object({
      plain: ruled(number, { rule: "self > 0" }),
      message: ruled(number, { rule: "self > 0", message: " must be positive " }),
      forbidden: ruled(number, { rule: "self > 0", message: "no", reason: "FieldValueForbidden" }),
      required: ruled(number, { rule: "self > 0", message: "no", reason: "FieldValueRequired" }),
      duplicate: ruled(number, { rule: "self > 0", message: "no", reason: "FieldValueDuplicate" }),
      messageExpression: ruled(number, {
        rule: "self > 0",
        message: "static",
        messageExpression: "self < -3 ? 'far too small' : 'too small'",
      }),
      messageFails: ruled(
        object({ a: number, l: { type: "array", items: text, maxItems: 3 } }),
        { rule: "self.a > 0", message: "static", messageExpression: "self.l[5]" },
        { rule: "self.a > 1", messageExpression: "'  '" },
        { rule: "self.a > 2", messageExpression: "'two\\nlines'" },
      ),
      fieldPath: ruled(
        object({
          a: object({ "b.c": number }),
          m: { type: "object", additionalProperties: number },
        }),
        {
          rule: "!has(self.a) || self.a.b__dot__c > 0",
          fieldPath: ".a['b.c']",
        },
      ),
      several: ruled(
        object({ a: number, b: number }),
        { rule: "self.a > 0", message: "a" },
        { rule: "self.b > 0", message: "b" },
        { rule: "self.a < self.b", message: "order" },
      ),
      errors: ruled(
        object({
          a: number,
          l: { type: "array", items: number, maxItems: 5 },
          d: { type: "number" },
        }),
        { rule: "self.l[3] > 0", message: "index" },
        { rule: "1 / self.a > 0" },
        { rule: "self.a % self.a == 0" },
        { rule: "self.a + 9223372036854775807 > 0" },
        { rule: "self.d > 0.0" },
      ),
      intOrString: ruled(
        { "x-kubernetes-int-or-string": true },
        { rule: "type(self) == int ? self < 10 : self.endsWith('%')", message: "typed" },
        { rule: "self > 3", message: "untyped" },
      ),
      nullable: ruled({ type: "string", nullable: true, maxLength: 5 }, { rule: "self != 'bad'" }),
      parent: ruled(object({ child: { type: "string", nullable: true, maxLength: 5 } }), {
        rule: "has(self.child)",
        message: "null is absent",
      }),
      names: ruled(
        object({ namespace: short, "a-b": short, "c.d": short, e__f: short, "g/h": short }),
        {
          rule: "self.namespace == 'x' && self.a__dash__b == 'x' && self.c__dot__d == 'x' && self.e__underscores__f == 'x' && self.g__slash__h == 'x'",
        },
      ),
      times: ruled(
        object({
          dateTime: { type: "string", format: "date-time" },
          date: { type: "string", format: "date" },
          duration: { type: "string", format: "duration" },
          byte: { type: "string", format: "byte", maxLength: 20 },
        }),
        { rule: "!has(self.dateTime) || self.dateTime > timestamp('2024-01-01T00:00:00Z')" },
        { rule: "!has(self.date) || self.date.getFullYear() == 2024" },
        { rule: "!has(self.duration) || self.duration < duration('1h')" },
        { rule: "!has(self.byte) || self.byte == b'hello'" },
      ),
      set: ruled(
        { type: "array", "x-kubernetes-list-type": "set", maxItems: 5, items: short },
        { rule: "self == ['a', 'b']", message: "set equality" },
        { rule: "self + ['a'] == ['b', 'a']", message: "set sum" },
      ),
      map: ruled(
        {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          maxItems: 5,
          items: ruled(
            { ...object({ k: short, v: number }), required: ["k"] },
            {
              rule: "!has(oldSelf.v) || self.v >= oldSelf.v",
              message: "v only grows",
            },
          ),
        },
        { rule: "self.all(x, self.exists_one(y, x.k == y.k))", message: "unique" },
        { rule: "oldSelf.all(x, self.exists(y, x.k == y.k))", message: "keys stay" },
      ),
      atomic: {
        type: "array",
        maxItems: 3,
        items: ruled(object({ a: number }), { rule: "self.a > 0", message: "positive" }),
      },
      immutable: ruled(short, { rule: "self == oldSelf", message: "immutable" }),
      transition: ruled(object({ a: number }), {
        rule: "self.a >= oldSelf.a",
        message: "a only grows",
      }),
      optional: ruled(number, {
        rule: "oldSelf.hasValue() || self == 1",
        message: "must start at 1",
        optionalOldSelf: true,
      }),
      optionalMessage: ruled(number, {
        rule: "oldSelf.hasValue() && self == oldSelf.value()",
        messageExpression: "oldSelf.hasValue() ? 'was there' : 'was not there'",
        optionalOldSelf: true,
      }),
      values: {
        type: "object",
        maxProperties: 5,
        additionalProperties: ruled(
          number,
          { rule: "self > 0", message: "positive" },
          { rule: "self >= oldSelf", message: "grows" },
        ),
      },
      libraries: ruled(
        object({
          quantity: short,
          ip: short,
          cidr: short,
          url: short,
          version: short,
          label: short,
        }),
        { rule: "!has(self.quantity) || quantity(self.quantity).isLessThan(quantity('1Gi'))" },
        { rule: "!has(self.ip) || ip(self.ip).family() == 4" },
        { rule: "!has(self.cidr) || cidr('10.0.0.0/8').containsCIDR(self.cidr)" },
        { rule: "!has(self.url) || url(self.url).getScheme() == 'https'" },
        { rule: "!has(self.version) || semver(self.version).major() > 0" },
        {
          rule: "!has(self.label) || !format.dns1123Label().validate(self.label).hasValue()",
          messageExpression: "format.dns1123Label().validate(self.label).value()[0]",
        },
      ),
      expensive: {
        type: "array",
        maxItems: 500,
        items: { type: "string", maxLength: 30 },
      },
      budget: ruled(
        { type: "array", maxItems: 300, items: { type: "string", maxLength: 10 } },
        ...Array.from({ length: 20 }, (_, i) => ({
          rule: `self.all(x, self.exists(y, y == '${i}') || true)`,
          message: `rule ${i}`,
        })),
      ),
      blocked: ruled({ type: "string", maxLength: 3 }, { rule: "self != 'bad'" }),
      embedded: ruled(
        {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        { rule: "self.kind == 'Pod' && self.metadata.name.startsWith('p')" },
      ),
    }),
  },
  "x-kubernetes-validations": [
    { rule: "self.metadata.name != 'forbidden'", message: "not this name" },
    {
      rule: "!has(self.spec) || !has(self.spec.expensive) || self.spec.expensive.all(x, self.spec.expensive.exists(y, y == 'z' + x) || true)",
      message: "expensive",
    },
  ],
};

const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `item-${i}`);

/** Values of `spec` by what they are about. */
export const ruleSpecs: Readonly<Record<string, JSONObject>> = {
  "all that is fine": {
    plain: 1,
    message: 1,
    forbidden: 1,
    required: 1,
    duplicate: 1,
    messageExpression: 1,
    several: { a: 1, b: 2 },
    set: ["b", "a"],
    optional: 1,
    values: { a: 1 },
    atomic: [{ a: 1 }],
    blocked: "ok",
  },
  "failures of every reason": {
    plain: 0,
    message: 0,
    forbidden: 0,
    required: 0,
    duplicate: 0,
    messageExpression: -5,
  },
  "messages that can't be used": { messageFails: { a: 0 } },
  "a failure below the data": { fieldPath: { a: { "b.c": 0 } } },
  "several failures": { several: { a: 0, b: 0 } },
  "fields that are missing": { several: {} },
  "errors of evaluation": { errors: { a: 0, l: [1] } },
  "an overflow": { errors: { a: 5, l: [1, 2, 3, 4], d: 1.5 } },
  "an integer where a double is expected": { errors: { a: -1, l: [1, 2, 3, 4], d: 1 } },
  "int-or-string as an integer": { intOrString: 5 },
  "int-or-string as a large integer": { intOrString: 50 },
  "int-or-string as a text": { intOrString: "5%" },
  "null is not looked at": { nullable: null, parent: { child: null } },
  "names that are escaped": {
    names: { namespace: "x", "a-b": "x", "c.d": "x", e__f: "x", "g/h": "x" },
  },
  "names that are escaped, with another value": {
    names: { namespace: "x", "a-b": "x", "c.d": "x", e__f: "x", "g/h": "y" },
  },
  "times and bytes": {
    times: {
      dateTime: "2024-06-01T00:00:00+02:00",
      date: "2024-06-01",
      duration: "3 min",
      byte: "aGVsbG8=",
    },
  },
  "other times and bytes": {
    times: {
      dateTime: "2023-06-01T00:00:00Z",
      date: "2023-06-01",
      duration: "2h",
      byte: "d29ybGQ=",
    },
  },
  "bytes with characters that rules can't read": { times: { byte: "+/+/" } },
  "a time in small letters": { times: { dateTime: "2024-06-01t00:00:00z" } },
  "a time in small letters at its end": { times: { dateTime: "2024-06-01T00:00:00.5z" } },
  "a set with more": { set: ["a", "b", "c"] },
  "a map list with a key twice": {
    map: [
      { k: "a", v: 1 },
      { k: "a", v: 2 },
    ],
  },
  "an item that fails": { atomic: [{ a: 1 }, { a: 0 }, {}] },
  "an optional old value that is not there": { optional: 2, optionalMessage: 3 },
  "values of a map that fail": { values: { a: 0, "b.c": 1 } },
  "libraries that agree": {
    libraries: {
      quantity: "1Mi",
      ip: "10.0.0.1",
      cidr: "10.1.0.0/16",
      url: "https://a",
      version: "1.2.3",
      label: "a",
    },
  },
  "libraries that do not agree": {
    libraries: {
      quantity: "2Gi",
      ip: "::1",
      cidr: "11.0.0.0/16",
      url: "http://a",
      version: "0.1.0",
      label: "A",
    },
  },
  "libraries that can't read": {
    libraries: {
      quantity: "x",
      ip: "1.2.3",
      cidr: "1.2.3.4",
      url: "a b",
      version: "1",
      label: "a",
    },
  },
  "more than a rule may cost": { expensive: many(500) },
  // Nothing else is wrong: the server takes fields in any order, and stops when the budget is spent.
  "more than all rules together may cost": { budget: many(300), plain: 1 },
  "less than a rule may cost": { expensive: many(100) },
  "an error that keeps rules from running": { blocked: "long one", plain: 0 },
  "an error that does not": { set: ["a", "a"], plain: 0 },
  "an embedded resource": {
    embedded: { apiVersion: "v1", kind: "Pod", metadata: { name: "pod" } },
  },
  "an embedded resource of another kind": {
    embedded: { apiVersion: "v1", kind: "Job", metadata: { name: "pod" } },
  },
  "an embedded resource without a name": { embedded: { apiVersion: "v1", kind: "Pod" } },
};

type Update = readonly [
  old: { readonly [name: string]: JSONValue },
  now: { readonly [name: string]: JSONValue },
];

/** Updates of `spec` from something valid, by what they are about. */
export const ruleUpdates: Readonly<Record<string, Update>> = {
  "nothing changes": [
    { immutable: "a", transition: { a: 1 } },
    { immutable: "a", transition: { a: 1 } },
  ],
  "what is immutable changes": [{ immutable: "a" }, { immutable: "b" }],
  "what is immutable goes": [{ immutable: "a" }, {}],
  "what is immutable comes": [{}, { immutable: "b" }],
  "what only grows shrinks": [{ transition: { a: 2 } }, { transition: { a: 1 } }],
  "a key of a map list goes": [{ map: [{ k: "a" }, { k: "b" }] }, { map: [{ k: "b" }] }],
  "items of a map list move and shrink": [
    {
      map: [
        { k: "a", v: 5 },
        { k: "b", v: 5 },
      ],
    },
    {
      map: [
        { k: "b", v: 4 },
        { k: "a", v: 6 },
      ],
    },
  ],
  "an item of a map list comes": [
    { map: [{ k: "a", v: 5 }] },
    {
      map: [
        { k: "a", v: 5 },
        { k: "c", v: 1 },
      ],
    },
  ],
  "values of a map shrink, go and come": [{ values: { a: 5, b: 5 } }, { values: { a: 4, c: 1 } }],
  "an optional old value is there": [{ optional: 1 }, { optional: 2 }],
  "a message about an old value": [{}, { optionalMessage: 2 }],
  "a rule fails that has nothing to do with the old value": [{ plain: 1 }, { plain: 0 }],
  "a value comes that is out of bounds": [{}, { blocked: "long one" }],
};

/** What may stay as it is although the schema would refuse it by now. */
export const ratchetUpdates: Readonly<Record<string, Update>> = {
  "nothing changes": [
    { plain: 0, blocked: "too long" },
    { plain: 0, blocked: "too long" },
  ],
  "something else changes": [
    { plain: 0, blocked: "too long" },
    { plain: 0, blocked: "too long", message: 1 },
  ],
  "the invalid value changes to another": [{ blocked: "too long" }, { blocked: "too long too" }],
  "the failing value changes to another": [{ plain: 0 }, { plain: -1 }],
  "one of two invalid values changes": [
    { several: { a: 0, b: 0 }, blocked: "too long" },
    { several: { a: -1, b: 0 }, blocked: "too long" },
  ],
  "an item of an atomic list changes": [
    { atomic: [{ a: 0 }, { a: 1 }] },
    { atomic: [{ a: 0 }, { a: 2 }] },
  ],
  "an atomic list stays": [
    { atomic: [{ a: 0 }, { a: 1 }] },
    { atomic: [{ a: 0 }, { a: 1 }], plain: 1 },
  ],
  "an item of a map list changes beside an invalid one": [
    {
      map: [
        { k: "a", v: "x" },
        { k: "b", v: 1 },
      ],
    },
    {
      map: [
        { k: "b", v: 2 },
        { k: "a", v: "x" },
      ],
    },
  ],
  "a duplicate stays": [{ set: ["a", "a", "b"] }, { set: ["a", "a", "b"], plain: 1 }],
  "a duplicate comes to others": [{ set: ["a", "a"] }, { set: ["a", "a", "b", "b"] }],
  "an entry of a map changes beside an invalid one": [
    { values: { a: 0, b: 1 } },
    { values: { a: 0, b: 2 } },
  ],
  "a wrong type stays": [{ several: "text" }, { several: "text", plain: 1 }],
  "a transition rule fails on what is unchanged elsewhere": [
    { immutable: "a", plain: 0 },
    { immutable: "b", plain: 0 },
  ],
  "a required field is still missing": [{ map: [{ v: 1 }] }, { map: [{ v: 1 }], plain: 1 }],
};
