import assert from "node:assert/strict";
import { test } from "node:test";
import { ControlPlaneError } from "./errors.ts";
import { allOrProblems } from "./problems.ts";

const refused = (reason: "KeyMismatch" | "SecretInvalid", message: string) =>
  Promise.reject(new ControlPlaneError(reason, message));

test("where nothing stands in the way, all there is comes back in order", async () => {
  assert.deepEqual(await allOrProblems([Promise.resolve(1), Promise.resolve(2)]), [1, 2]);
});

test("several problems are told together, under the reason of the first", async () => {
  const all = [refused("KeyMismatch", "a"), Promise.resolve(1), refused("SecretInvalid", "b")];
  await assert.rejects(allOrProblems(all), (error) => {
    assert.ok(error instanceof ControlPlaneError);
    assert.deepEqual([error.reason, error.message], ["KeyMismatch", "a; b"]);
    return true;
  });
});

test("what is no problem of the control plane comes before those that are", async () => {
  const broken = Promise.reject(new TypeError("broken"));
  await assert.rejects(allOrProblems([refused("KeyMismatch", "a"), broken]), TypeError);
});
