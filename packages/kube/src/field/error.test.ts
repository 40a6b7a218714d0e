import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aggregateMessages, FieldError, omitValue } from "./error.ts";
import { FieldPath, fieldPath } from "./path.ts";

describe("FieldPath prints as Kubernetes does", () => {
  const rows: Record<string, [path: FieldPath, printed: string]> = {
    "names are joined by dots": [fieldPath("spec", "replicas"), "spec.replicas"],
    "items and entries are subscripts": [
      fieldPath("spec", "items").index(3).child("labels").key("a.b/c").child("x", "y"),
      "spec.items[3].labels[a.b/c].x.y",
    ],
    "the object itself is nil": [FieldPath.root, "<nil>"],
    "a path may begin with a subscript": [FieldPath.root.index(0).child("z"), "[0].z"],
    "a field without a name looks like a subscript": [fieldPath("a", ""), "a[]"],
  };
  for (const [name, [path, printed]] of Object.entries(rows)) {
    it(name, () => assert.equal(path.toString(), printed));
  }
});

describe("FieldError's body is Kubernetes'", () => {
  const path = fieldPath("spec", "x");
  const object = { b: 1, a: [null, 1.5, "<&>\u2028"] };
  const rows: Record<string, [error: FieldError, body: string]> = {
    "an object is shown as JSON with its keys in order": [
      FieldError.typeInvalid(path, object, 'must be of type string: "object"'),
      'Invalid value: {"a":[null,1.5,"\\u003c\\u0026\\u003e\\u2028"],"b":1}: must be of type string: "object"',
    ],
    "a string is quoted": [FieldError.invalid(path, 'a"b', "bad"), 'Invalid value: "a\\"b": bad'],
    "what is not printable is escaped": [
      FieldError.notFound(path, "x\tyé\x07\x7f\u200b"),
      'Not found: "x\\tyé\\a\\x7f\\u200b"',
    ],
    "an integer is plain": [FieldError.duplicate(path, 7), "Duplicate value: 7"],
    "a large integer is plain": [
      FieldError.invalid(path, 1e15, ""),
      "Invalid value: 1000000000000000",
    ],
    "a fraction is plain": [FieldError.invalid(path, 1.5, "bad"), "Invalid value: 1.5: bad"],
    "a large fraction has an exponent": [
      FieldError.invalid(path, 1000000.5, "bad"),
      "Invalid value: 1.0000005e+06: bad",
    ],
    "what is past int64 has an exponent": [
      FieldError.invalid(path, 1e20, ""),
      "Invalid value: 1e+20",
    ],
    "a small fraction has an exponent": [
      FieldError.invalid(path, -0.00001, ""),
      "Invalid value: -1e-05",
    ],
    "a boolean is plain": [FieldError.invalid(path, true, ""), "Invalid value: true"],
    "null is null": [FieldError.invalid(path, null, "d"), "Invalid value: null: d"],
    "nothing is null": [FieldError.invalid(path, undefined, "d"), "Invalid value: null: d"],
    "an omitted value leaves no trace": [
      FieldError.invalid(path, omitValue, "d"),
      "Invalid value: d",
    ],
    "a required value without a detail": [FieldError.required(path, ""), "Required value"],
    "a required value with a detail": [
      FieldError.required(path, "give it"),
      "Required value: give it",
    ],
    "supported values keep their order": [
      FieldError.notSupported(path, "c", ["b", "a\n"]),
      'Unsupported value: "c": supported values: "b", "a\\n"',
    ],
    "no supported values": [FieldError.notSupported(path, "c", []), 'Unsupported value: "c"'],
    forbidden: [FieldError.forbidden(path, "no"), "Forbidden: no"],
    "too long": [FieldError.tooLong(path, 10), "Too long: may not be more than 10 bytes"],
    "too long by one byte": [FieldError.tooLong(path, 1), "Too long: may not be more than 1 byte"],
    "too long without a limit": [FieldError.tooLong(path, -1), "Too long: value is too long"],
    "too many": [FieldError.tooMany(path, 5, 3), "Too many: 5: must have at most 3 items"],
    "too many of an unknown number": [
      FieldError.tooMany(path, -1, 1),
      "Too many: must have at most 1 item",
    ],
    "too many without a limit": [
      FieldError.tooMany(path, 2, -1),
      "Too many: 2: has too many items",
    ],
    "an internal error": [FieldError.internal(path, new Error("boom")), "Internal error: boom"],
  };
  for (const [name, [error, body]] of Object.entries(rows)) {
    it(name, () => {
      assert.equal(error.body, body);
      assert.equal(error.toString(), `spec.x: ${body}`);
    });
  }
});

describe("aggregateMessages", () => {
  const a = FieldError.required(fieldPath("a"), "");
  const b = FieldError.required(fieldPath("b"), "");

  it("is empty for none and bare for one, also when it is said twice", () => {
    assert.equal(aggregateMessages([]), "");
    assert.equal(aggregateMessages([a, a]), "a: Required value");
  });

  it("lists several in brackets, each once", () => {
    assert.equal(aggregateMessages([a, b, a]), "[a: Required value, b: Required value]");
  });
});
