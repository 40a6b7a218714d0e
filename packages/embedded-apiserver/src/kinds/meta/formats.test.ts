import assert from "node:assert/strict";
import { test } from "node:test";
import {
  validateConfigMapKey,
  validateEnvVarName,
  validatePercent,
  validatePortName,
} from "./formats.ts";

test("a port has a name of at most 15 characters with a letter in it", () => {
  assert.deepEqual(validatePortName("http-1"), []);
  assert.deepEqual(validatePortName("12345"), ["must contain at least one letter (a-z)"]);
  assert.deepEqual(validatePortName("-a--B-long-enough"), [
    "must be no more than 15 characters",
    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    "must not contain consecutive hyphens",
    "must not begin or end with a hyphen",
  ]);
});

test("a key leads nowhere else", () => {
  assert.deepEqual(validateConfigMapKey("a.b_C-1"), []);
  assert.deepEqual(validateConfigMapKey(".."), ["must not be '..'"]);
  assert.deepEqual(validateConfigMapKey("..a"), ["must not start with '..'"]);
});

test("the name of a variable has any printable character but =", () => {
  assert.deepEqual(validateEnvVarName("1-a b.c"), []);
  assert.equal(validateEnvVarName("a=b").length, 1);
  assert.equal(validateEnvVarName("ä").length, 1);
});

test("a percentage is digits and a %", () => {
  assert.deepEqual(validatePercent("25%"), []);
  assert.deepEqual(validatePercent("-1%"), [
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ]);
});
