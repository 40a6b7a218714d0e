import assert from "node:assert/strict";
import { test } from "node:test";
import { FetchError, MissingVariablesError, RenderError } from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { asPhase } from "./failures.ts";

async function phaseErrorOf(error: Error): Promise<PhaseError> {
  const found = await asPhase(() => Promise.reject(error)).catch((cause: unknown) => cause);
  assert.ok(found instanceof PhaseError);
  return found;
}

test("a source that asks to wait is taken at its word", async () => {
  const error = new FetchError("RateLimited", "x", { why: "60 an hour", retryAfterSeconds: 1234 });
  const { reason, retryAfterSeconds, message } = await phaseErrorOf(error);
  assert.deepEqual([reason, retryAfterSeconds], ["RateLimited", 1234]);
  assert.match(message, /60 an hour/);
});

test("what only a change helps against is not tried again by itself", async () => {
  const unknown = new FetchError("UnknownProvider", "x", { why: "nobody knows it" });
  assert.equal((await phaseErrorOf(unknown)).retryAfterSeconds, undefined);
  const missing = await phaseErrorOf(new MissingVariablesError(["A", "B"]));
  assert.deepEqual([missing.reason, missing.retryAfterSeconds], ["MissingVariables", undefined]);
});

test("a release that is not there yet may come", async () => {
  const error = new FetchError("NotFound", "x", { why: "404" });
  assert.equal((await phaseErrorOf(error)).retryAfterSeconds, 300);
});

test("of several problems with components the first gives the reason, and all are named", async () => {
  const { reason, message } = await phaseErrorOf(
    new RenderError([
      { reason: "UnsupportedKind", message: "first" },
      { reason: "InvalidImage", message: "second" },
    ]),
  );
  assert.equal(reason, "UnsupportedKind");
  assert.match(message, /first; second/);
});

test("a mistake of the program stays one", async () => {
  await assert.rejects(
    asPhase(() => Promise.reject(new TypeError("oops"))),
    TypeError,
  );
});
