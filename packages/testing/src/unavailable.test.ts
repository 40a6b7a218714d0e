import assert from "node:assert/strict";
import { test } from "node:test";
import { UnavailableError } from "./errors.ts";
import { whyUnavailable } from "./unavailable.ts";

test("a suite is skipped with the reason, where something cannot be had", async () => {
  const error = new UnavailableError("a nest", { reason: "there is no tree", remedy: "plant one" });
  assert.equal(
    await whyUnavailable(() => Promise.reject(error)),
    "NOT RUN: could not get a nest: there is no tree; plant one",
  );
});

test("a suite is run where it can be had, and fails where something else fails", async () => {
  assert.equal(await whyUnavailable(async () => "a nest"), false);
  await assert.rejects(
    whyUnavailable(() => Promise.reject(new Error("other"))),
    /other/,
  );
});
