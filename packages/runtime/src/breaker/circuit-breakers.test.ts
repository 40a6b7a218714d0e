import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import { CircuitOpenError } from "../errors.ts";
import { CircuitBreakers } from "./circuit-breakers.ts";

class Broken extends Error {}
class Refused extends Error {}

function setUp() {
  const clock = new FakeClock();
  const isFailure = (error: unknown) => error instanceof Broken;
  const breakers = new CircuitBreakers({ isFailure, clock, shortestMs: 10, longestMs: 35 });
  let tries = 0;
  const run = (work: () => unknown, key = "a") =>
    breakers.run(key, "server", async () => {
      tries += 1;
      return work();
    });
  const fail = (key?: string) =>
    assert.rejects(
      run(() => {
        throw new Broken();
      }, key),
      Broken,
    );
  const isOpen = (key?: string) =>
    assert.rejects(
      run(() => {}, key),
      CircuitOpenError,
    );
  return { clock, breakers, run, fail, isOpen, tries: () => tries };
}

describe("a circuit", () => {
  it("opens after failures in a row, and says until when", async () => {
    const { run, fail, tries } = setUp();
    for (let time = 0; time < 3; time++) await fail();
    await assert.rejects(
      run(() => {}),
      (error) =>
        error instanceof CircuitOpenError &&
        error.retryAfterMs === 10 &&
        /^could not reach server: it failed 3 times in a row, and is tried again at \d{4}-/.test(
          error.message,
        ),
    );
    assert.equal(tries(), 3);
  });

  it("stays closed where a success comes between", async () => {
    const { run, fail } = setUp();
    for (let time = 0; time < 5; time++) {
      await fail();
      await fail();
      await run(() => {});
    }
  });

  it("is another one for another key", async () => {
    const { run, fail, isOpen } = setUp();
    for (let time = 0; time < 3; time++) await fail();
    await isOpen();
    assert.equal(await run(() => "b", "b"), "b");
  });

  it("does not count what is no failure of the server", async () => {
    const { run } = setUp();
    const refuse = () => {
      throw new Refused();
    };
    for (let time = 0; time < 10; time++) await assert.rejects(run(refuse), Refused);
  });

  it("lets one caller try after its pause, while the others go on failing", async () => {
    const { clock, run, fail, isOpen, tries } = setUp();
    for (let time = 0; time < 3; time++) await fail();
    await clock.advance(10);
    const gate = Promise.withResolvers<string>();
    const probe = run(() => gate.promise);
    await isOpen();
    await isOpen();
    assert.equal(tries(), 4);
    gate.resolve("back");
    assert.equal(await probe, "back");
    assert.equal(await run(() => "closed"), "closed");
  });

  it("stays open longer each time that the server still fails, up to a limit", async () => {
    const { clock, fail, isOpen } = setUp();
    for (let time = 0; time < 3; time++) await fail();
    for (const pause of [10, 20, 35, 35]) {
      await clock.advance(pause - 1);
      await isOpen();
      await clock.advance(1);
      await fail();
    }
  });

  it("is opened once by those that were on their way together", async () => {
    const { clock, run } = setUp();
    const gate = Promise.withResolvers<never>();
    const all = Array.from({ length: 20 }, () => run(() => gate.promise).catch(() => {}));
    gate.reject(new Broken());
    await Promise.all(all);
    await clock.advance(10);
    assert.equal(await run(() => "back"), "back");
  });

  it("lets the next one try where a caller gave up before it knew", async () => {
    const { clock, run, fail } = setUp();
    for (let time = 0; time < 3; time++) await fail();
    await clock.advance(10);
    const giveUp = () => {
      throw new Refused();
    };
    await assert.rejects(run(giveUp), Refused);
    assert.equal(await run(() => "back"), "back");
  });

  it("is forgotten, however many servers have failed", async () => {
    const { breakers, fail } = setUp();
    for (let server = 0; server < 10_050; server++) await fail(`${server}`);
    assert.equal(breakers.size, 10_000);
  });
});
