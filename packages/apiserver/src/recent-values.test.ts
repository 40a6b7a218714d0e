import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentValues } from "./recent-values.ts";

function counting() {
  const made: string[] = [];
  const make = (text: string) => () => {
    made.push(text);
    return text.length;
  };
  return { made, make };
}

test("a value is made once, also one that is false or empty", () => {
  const values = new RecentValues<number>(2);
  const { made, make } = counting();
  assert.deepEqual([values.get("", make("")), values.get("", make(""))], [0, 0]);
  assert.deepEqual(made, [""]);
});

test("no more than so many are kept, and no long texts", () => {
  const values = new RecentValues<number>(2);
  const { made, make } = counting();
  const long = "x".repeat(1000);
  for (const text of ["a", "b", "c", "a", long, long]) values.get(text, make(text));
  assert.deepEqual(made, ["a", "b", "c", "a", long, long]);
});

test("what could not be made is tried again", () => {
  const values = new RecentValues<number>(2);
  assert.throws(() => values.get("a", () => assert.fail("no")), /no/);
  assert.equal(
    values.get("a", () => 1),
    1,
  );
});
