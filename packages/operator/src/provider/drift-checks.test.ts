import assert from "node:assert/strict";
import { test } from "node:test";
import { createCheckups, nextCheckupSeconds } from "./drift-checks.ts";

const provider = {
  apiVersion: "management.cluster.x-k8s.io/v1alpha1" as const,
  kind: "CoreProvider" as const,
  metadata: { uid: "1" },
  spec: {},
};

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

test("what nobody watches is compared every ten minutes", () => {
  const key = { group: "example.com", version: "v1", kind: "Hook", name: "a" };
  const entry = { ...key, stage: "external", content: "x", fields: "y" } as const;
  const unwatched = { provider, observe: () => "unwatched" as const };
  const watched = { provider, observe: () => undefined };
  const { fields: _, ...kept } = entry;
  assert.equal(nextCheckupSeconds(unwatched, [entry], undefined), 600);
  assert.equal(nextCheckupSeconds(unwatched, [entry], 90), 90);
  assert.equal(nextCheckupSeconds(unwatched, [kept], undefined), undefined);
  assert.equal(nextCheckupSeconds(watched, [entry], 9000), 9000);
});
