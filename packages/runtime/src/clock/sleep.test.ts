import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import { systemClock } from "./clock.ts";
import { sleep } from "./sleep.ts";

describe("sleep", () => {
  it("ends when the time has come", async () => {
    const clock = new FakeClock();
    let awake = false;
    const sleeping = sleep(1000, clock).then(() => {
      awake = true;
    });
    await clock.advance(999);
    assert.equal(awake, false);
    await clock.advance(1);
    await sleeping;
    assert.equal(awake, true);
  });

  it("ends with the signal's reason, and leaves no timer", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const sleeping = sleep(1000, clock, controller.signal);
    controller.abort(new Error("stop"));
    await assert.rejects(sleeping, /stop/);
    assert.equal(clock.timers, 0);
    assert.throws(() => sleep(1, clock, controller.signal), /stop/);
  });
});

describe("the system clock", () => {
  it("calls back, and not where it was stopped", async () => {
    const called: string[] = [];
    systemClock.setTimer(() => called.push("stopped"), 0).stop();
    await new Promise<void>((resolve) => systemClock.setTimer(resolve, 1));
    assert.deepEqual(called, []);
  });

  it("does not take a month for a millisecond", () => {
    let called = false;
    const timer = systemClock.setTimer(() => {
      called = true;
    }, 2 ** 32);
    const until = systemClock.now() + 5;
    while (systemClock.now() < until);
    timer.stop();
    assert.equal(called, false);
  });
});
