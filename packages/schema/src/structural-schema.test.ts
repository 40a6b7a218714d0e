import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NestingError } from "./errors.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import { prune } from "./prune.ts";
import { compileSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

/** Lists in lists, so many levels deep. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("compileSchema", () => {
  it("is not impressed by what becomes of the schema later", () => {
    const props = { type: "object", properties: { a: { type: "string", maxLength: 1 } } };
    const schema = compileSchema(props);
    props.properties.a.maxLength = 5;
    assert.equal(validate(schema, { a: "xx" }).errors.length, 1);
  });

  it("does not compile patterns and rules before they are needed", () => {
    const schema = compileSchema({
      type: "object",
      properties: { a: { type: "string", pattern: "(" } },
      "x-kubernetes-validations": [{ rule: "(" }],
    });
    assert.deepEqual(prune(schema, { a: "x" }).object, { a: "x" });
  });

  it("refuses a schema that nests too deeply", () => {
    let props: JSONSchemaProps = { type: "string" };
    for (let level = 0; level < 300; level++) props = { type: "array", items: props };
    assert.throws(() => compileSchema(props), NestingError);
    for (let level = 0; level < 100_000; level++) props = { type: "array", items: props };
    assert.throws(() => compileSchema(props), NestingError);
  });
});

describe("an object that nests deeply", () => {
  const schema = compileSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  const object = (levels: number) => ({ a: nested(levels) }) as { a: [] };

  it("is fine up to a limit", () => {
    assert.deepEqual(validate(schema, prune(schema, object(990)).object).errors, []);
  });

  it("is refused beyond it, without an overflow of the stack", () => {
    assert.throws(() => prune(schema, object(100_000)), NestingError);
    assert.throws(() => validate(schema, object(100_000)), NestingError);
  });

  it("is refused as the old object of an update too", () => {
    assert.throws(() => validate(schema, object(1), { old: object(100_000) }), NestingError);
  });
});
