import assert from "node:assert/strict";
import { test } from "node:test";
import { CorrectionBackOff, DriftChecks, nextDriftCheckSeconds } from "./drift-checks.ts";

const provider = {
  apiVersion: "management.cluster.x-k8s.io/v1alpha1" as const,
  kind: "CoreProvider" as const,
  metadata: { uid: "1" },
  spec: {},
};

test("a release is compared once, and again when its time has come or somebody says so", () => {
  let now = 0;
  const driftChecks = new DriftChecks({ now: () => now });
  assert.equal(driftChecks.isDue(provider, "a"), true);
  driftChecks.done(provider, "a", 60);
  assert.equal(driftChecks.isDue(provider, "a"), false);
  assert.equal(driftChecks.secondsLeft(provider), 60);
  assert.equal(driftChecks.isDue(provider, "b"), true);
  now += 60_000;
  assert.equal(driftChecks.isDue(provider, "a"), true);
  driftChecks.done(provider, "a", undefined);
  now += 1e9;
  assert.equal(driftChecks.isDue(provider, "a"), false);
  driftChecks.forget("1");
  assert.equal(driftChecks.isDue(provider, "a"), true);
});

test("what nobody watches is compared every ten minutes", () => {
  const key = { group: "example.com", version: "v1", kind: "Hook", name: "a" };
  const entry = { ...key, stage: "external", content: "x", fields: "y" } as const;
  const unwatched = { provider, observe: () => "unwatched" as const };
  const watched = { provider, observe: () => undefined };
  const { fields: _, ...kept } = entry;
  assert.equal(nextDriftCheckSeconds(unwatched, [entry], undefined), 600);
  assert.equal(nextDriftCheckSeconds(unwatched, [entry], 90), 90);
  assert.equal(nextDriftCheckSeconds(unwatched, [kept], undefined), undefined);
  assert.equal(nextDriftCheckSeconds(watched, [entry], 9000), 9000);
});

test("an object that is changed again and again is corrected at once three times, then ever later", () => {
  let now = 0;
  const backOff = new CorrectionBackOff({ now: () => now });
  const waits: number[] = [];
  for (let round = 0; round < 12; round++) {
    const wait = backOff.secondsLeft("a");
    waits.push(wait);
    now += wait * 1000;
    backOff.corrected("a");
  }
  assert.deepEqual(waits, [0, 0, 0, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
  assert.equal(backOff.secondsLeft("b"), 0);
});

test("what stays as it is for long is corrected at once again", () => {
  let now = 0;
  const backOff = new CorrectionBackOff({ now: () => now });
  for (let round = 0; round < 8; round++) backOff.corrected("a");
  now += 30 * 60 * 1000;
  assert.equal(backOff.secondsLeft("a"), 0);
  backOff.corrected("a");
  assert.equal(backOff.secondsLeft("a"), 0);
});
