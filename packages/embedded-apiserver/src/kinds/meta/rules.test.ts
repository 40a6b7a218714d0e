import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dns1123Label,
  immutable,
  invalidIf,
  nonNegative,
  oneOf,
  portNumber,
  unique,
} from "./checks.ts";
import { each, firstOf, named, oneMember, optional, required, struct } from "./combinators.ts";
import { check, type Rules, validator } from "./rules.ts";

interface Widget {
  readonly spec?: {
    readonly name?: string;
    readonly size?: number;
    readonly max?: number;
    readonly parts?: readonly { readonly name?: string; readonly color?: string }[];
    readonly source?: { readonly file?: { readonly path?: string }; readonly url?: object };
  };
}

const spec: Rules<NonNullable<Widget["spec"]>> = [
  { name: required(dns1123Label), size: nonNegative },
  invalidIf("size", ({ size = 0, max = 10 }) => size > max, "must not be greater than max"),
  {
    parts: each({
      name: firstOf(required(), unique),
      color: named("colour", optional(oneOf("red", "blue"))),
    }),
    source: optional(
      oneMember(
        { file: { path: required() }, url: [] },
        { none: "must have a source", many: "may not have two", names: { file: "localFile" } },
      ),
    ),
  },
];

const rows: Readonly<Record<string, readonly [Widget, readonly string[]]>> = {
  "an object in order has no errors": [
    { spec: { name: "a", parts: [{ name: "x", color: "red" }], source: { url: {} } } },
    [],
  ],
  "the fields of an absent struct are looked at": [{}, ["spec.name: Required value"]],
  "errors come in the order of the tables": [
    { spec: { size: 11, parts: [{}] } },
    [
      "spec.name: Required value",
      "spec.size: Invalid value: 11: must not be greater than max",
      "spec.parts[0].name: Required value",
    ],
  ],
  "an item of a list is unique by a field": [
    { spec: { name: "a", parts: [{ name: "x" }, { name: "y" }, { name: "x" }] } },
    ['spec.parts[2].name: Duplicate value: "x"'],
  ],
  "a field is reported under another name": [
    { spec: { name: "a", parts: [{ name: "x", color: "green" }] } },
    ['spec.parts[0].colour: Unsupported value: "green": supported values: "red", "blue"'],
  ],
  "a union needs a member": [
    { spec: { name: "a", source: {} } },
    ["spec.source: Required value: must have a source"],
  ],
  "a union has one member only": [
    { spec: { name: "a", source: { file: {}, url: {} } } },
    ["spec.source.localFile.path: Required value", "spec.source.url: Forbidden: may not have two"],
  ],
};

for (const [name, [object, errors]] of Object.entries(rows)) {
  test(name, () => {
    assert.deepEqual(validator<Widget>({ spec: struct(spec) })(object).map(String), errors);
  });
}

test("a rule sees the stored value of its field", () => {
  const validate = validator<Widget>({
    spec: { name: immutable, parts: each({ name: immutable }) },
  });
  const old = { spec: { name: "a", parts: [{ name: "x" }] } };
  assert.deepEqual(validate(old, old), []);
  assert.deepEqual(validate({ spec: { name: "b", parts: [{ name: "y" }] } }, old).map(String), [
    'spec.name: Invalid value: "b": field is immutable',
    'spec.parts[0].name: Invalid value: "y": field is immutable',
  ]);
});

test("a port is a number from 1 to 65535", () => {
  assert.deepEqual(check(portNumber, 65_535, {}), []);
  const [error] = check(portNumber, 0, {});
  assert.equal(error?.detail, "must be between 1 and 65535, inclusive");
});
