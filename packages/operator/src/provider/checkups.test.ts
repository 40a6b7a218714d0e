import assert from "node:assert/strict";
import { test } from "node:test";
import { createCheckups } from "./checkups.ts";

const provider = { apiVersion: "v1", kind: "CoreProvider", metadata: { uid: "1" } };

test("a release is compared once, and again when its time has come or somebody says so", () => {
  let now = 0;
  const checkups = createCheckups({ now: () => now });
  assert.equal(checkups.isDue(provider, "a"), true);
  checkups.done(provider, "a", 60);
  assert.equal(checkups.isDue(provider, "a"), false);
  assert.equal(checkups.secondsLeft(provider), 60);
  assert.equal(checkups.isDue(provider, "b"), true);
  now += 60_000;
  assert.equal(checkups.isDue(provider, "a"), true);
  checkups.done(provider, "a", undefined);
  now += 1e9;
  assert.equal(checkups.isDue(provider, "a"), false);
  checkups.forget("1");
  assert.equal(checkups.isDue(provider, "a"), true);
});
