import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "./clock.ts";

test("time stands still until it is told to pass", async () => {
  const clock = new FakeClock("2026-03-01T12:00:00Z");
  assert.equal(clock.date().toISOString(), "2026-03-01T12:00:00.000Z");
  await clock.advance(90_000);
  assert.equal(clock.date().toISOString(), "2026-03-01T12:01:30.000Z");
  assert.equal(clock.now(), 90_000);
});

test("timers run in order, each at its own time", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name} ${clock.now()}`);
  clock.setTimer(note("third"), 3_000);
  clock.setTimer(note("first"), 1_000);
  clock.setTimer(note("second"), 1_000);
  clock.setTimer(note("later"), 9_000);
  await clock.advance(5_000);
  assert.deepEqual(seen, ["first 1000", "second 1000", "third 3000"]);
  assert.equal(clock.timers, 1);
});

test("a timer that is set by another runs when it is due", async () => {
  const clock = new FakeClock();
  const seen: number[] = [];
  const tick = async () => {
    for (;;) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 1_000));
      seen.push(clock.now());
    }
  };
  tick();
  await clock.advance(3_500);
  assert.deepEqual(seen, [1_000, 2_000, 3_000]);
});

test("a timer that was stopped does not run", async () => {
  const clock = new FakeClock();
  clock.setTimer(() => assert.fail("it was stopped"), 1_000).stop();
  await clock.advance(2_000);
  assert.equal(clock.timers, 0);
});
