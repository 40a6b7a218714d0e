import assert from "node:assert/strict";
import { test } from "node:test";
import { isForeseen } from "./judge.ts";

test("an error is foreseen where it is a Status without a reason, in whichever form it comes", () => {
  assert.ok(isForeseen('{"kind":"Status","apiVersion":"v1","message":"x","code":500}'));
  assert.ok(isForeseen("apiVersion: v1\ncode: 500\nkind: Status\nmessage: 'reason: x'\n"));
});

test("an error with a reason, and what is no Status, nobody has foreseen", () => {
  assert.ok(!isForeseen('{"kind":"Status","reason":"InternalError","code":500}'));
  assert.ok(!isForeseen("kind: Status\nreason: InternalError\n"));
  for (const text of ["", "null", "{", "Internal Server Error", "- kind: Status"]) {
    assert.ok(!isForeseen(text), text);
  }
});
