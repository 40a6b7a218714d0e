import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import * as limiters from "./rate-limiter.ts";

describe("the exponential rate limiter", () => {
  it("doubles for each key on its own, up to the greatest delay", () => {
    const limiter = limiters.createExponentialRateLimiter(1, 1000);
    const delays = Array.from({ length: 12 }, () => limiter.when("a"));
    assert.deepEqual(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000]);
    assert.equal(limiter.when("b"), 1);
    assert.equal(limiter.numRequeues("a"), 12);
    limiter.forget("a");
    assert.equal(limiter.when("a"), 1);
  });

  it("stays at the greatest delay after thousands of tries", () => {
    const limiter = limiters.createExponentialRateLimiter(5, 1_000_000);
    for (let tries = 0; tries < 5000; tries++) limiter.when("a");
    assert.equal(limiter.when("a"), 1_000_000);
  });
});

describe("the bucket rate limiter", () => {
  it("lets a burst through, then one after another, and fills up with time", async () => {
    const clock = new FakeClock();
    const limiter = limiters.createBucketRateLimiter(10, 3, clock);
    const delays = () => Array.from({ length: 5 }, (_, index) => limiter.when(`${index}`));
    assert.deepEqual(delays(), [0, 0, 0, 100, 200]);
    await clock.advance(300);
    assert.deepEqual(delays(), [0, 100, 200, 300, 400]);
    await clock.advance(60_000);
    assert.deepEqual(delays(), [0, 0, 0, 100, 200]);
  });
});

describe("the default rate limiter", () => {
  it("backs off for one key, and for all together after a hundred tries", () => {
    const limiter = limiters.createDefaultRateLimiter(new FakeClock());
    assert.deepEqual([limiter.when("a"), limiter.when("a"), limiter.when("a")], [5, 10, 20]);
    for (let key = 0; key < 97; key++) assert.equal(limiter.when(`${key}`), 5);
    assert.equal(limiter.when("one more"), 100);
    assert.equal(limiter.when("and another"), 200);
    assert.equal(limiter.numRequeues("a"), 3);
    limiter.forget("a");
    assert.equal(limiter.numRequeues("a"), 0);
  });
});
