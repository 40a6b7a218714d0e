import assert from "node:assert/strict";
import { test } from "node:test";
import { TimedOutError } from "../errors.ts";
import { pauseAfter, waitFor } from "./wait-for.ts";

const quick = { what: "it", timeout: 5, interval: 0 };

test("the first answer that is something is returned", async () => {
  const answers = [undefined, false, 0] as const;
  let asked = 0;
  const answer = await waitFor(() => answers[asked++], { ...quick, timeout: 60_000 });
  assert.equal(answer, 0);
  assert.equal(asked, 3);
});

test("an error counts as not yet", async () => {
  let asked = 0;
  const ask = () => {
    asked += 1;
    if (asked < 3) throw new Error("not yet");
    return "there";
  };
  assert.equal(await waitFor(ask, { ...quick, timeout: 60_000 }), "there");
});

test("a fatal error ends the wait at once", async () => {
  const ask = () => Promise.reject(new RangeError("never"));
  const fatal = (error: unknown) => error instanceof RangeError;
  await assert.rejects(waitFor(ask, { ...quick, timeout: 60_000, fatal }), /never/);
});

test("when the time is over the error tells what was waited for, the last error and the detail", async () => {
  const ask = () => Promise.reject(new Error("refused"));
  await assert.rejects(
    waitFor(ask, { ...quick, detail: () => "the log" }),
    (error) =>
      error instanceof TimedOutError &&
      error.message === "could not wait for it: 0.005 s are over\nrefused\nthe log",
  );
});

test("it is asked again soon at first, and more rarely in a long wait", () => {
  const pauses = [0, 5_000, 60_000].map((waited) => pauseAfter({ waited, took: 1 }));
  assert.deepEqual(pauses, [50, 100, 250]);
});

test("what takes long to ask is asked for a third of the time at most", () => {
  const pauses = [1, 100, 60_000].map((took) => pauseAfter({ waited: 0, took }, 20));
  assert.deepEqual(pauses, [20, 200, 1_000]);
});
