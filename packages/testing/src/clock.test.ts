import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "./clock.ts";

test("time stands still until it is told to pass", async () => {
  const clock = new FakeClock("2026-03-01T12:00:00Z");
  assert.equal(clock.now().toISOString(), "2026-03-01T12:00:00.000Z");
  await clock.advance(90_000);
  assert.equal(clock.now().toISOString(), "2026-03-01T12:01:30.000Z");
});

test("timers run in order, each at its own time", async () => {
  const clock = new FakeClock("2026-01-01T00:00:00Z");
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name} ${clock.now().getUTCSeconds()}`);
  clock.after(3_000, note("third"));
  clock.after(1_000, note("first"));
  clock.after(1_000, note("second"));
  clock.after(9_000, note("later"));
  await clock.advance(5_000);
  assert.deepEqual(seen, ["first 1", "second 1", "third 3"]);
  assert.equal(clock.pending, 1);
});

test("a timer that is set by another runs when it is due", async () => {
  const clock = new FakeClock();
  const seen: number[] = [];
  const tick = async () => {
    for (;;) {
      await clock.sleep(1_000);
      seen.push(clock.now().getUTCSeconds());
    }
  };
  tick();
  await clock.advance(3_500);
  assert.deepEqual(seen, [1, 2, 3]);
});

test("a cancelled timer does not run", async () => {
  const clock = new FakeClock();
  const cancel = clock.after(1_000, () => assert.fail("it was cancelled"));
  cancel();
  await clock.advance(2_000);
  assert.equal(clock.pending, 0);
});

test("a sleep ends with its signal and leaves no timer", async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(1_000, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(sleeping, /enough/);
  assert.equal(clock.pending, 0);
  await assert.rejects(clock.sleep(1_000, controller.signal), /enough/);
});
