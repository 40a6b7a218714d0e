import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import { PrerenderedReleases } from "./prerendered.ts";

const owner = (uid: string, generation = 1) => ({ metadata: { uid, generation } });

function setUp() {
  const clock = new FakeClock();
  const started: string[] = [];
  const prerendered = new PrerenderedReleases<string>(clock);
  const start = (name: string, generation = 1) =>
    prerendered.start(owner(name, generation), async () => {
      started.push(name);
      return `${name} ${generation}`;
    });
  return { clock, prerendered, start, started };
}

describe("a draft", () => {
  it("is worked out after a head start for others, and taken once", async () => {
    const { clock, prerendered, start, started } = setUp();
    start("a");
    await clock.advance(100);
    assert.deepEqual(started, []);
    await clock.advance(300);
    assert.deepEqual(started, ["a"]);
    assert.equal(await prerendered.take(owner("a")), "a 1");
    assert.equal(await prerendered.take(owner("a")), undefined);
  });

  it("is started once for a state of the spec, and for each new one", async () => {
    const { clock, prerendered, start, started } = setUp();
    start("a");
    await clock.advance(400);
    start("a");
    await clock.advance(400);
    assert.deepEqual(started, ["a"]);
    start("a", 2);
    await clock.advance(400);
    assert.equal(await prerendered.take(owner("a", 2)), "a 2");
  });

  it("of an older state of the spec is no draft of this one", async () => {
    const { clock, prerendered, start } = setUp();
    start("a");
    await clock.advance(400);
    assert.equal(await prerendered.take(owner("a", 2)), undefined);
  });

  it("that was not started when it is asked for is not started later", async () => {
    const { clock, prerendered, start, started } = setUp();
    start("a");
    assert.equal(await prerendered.take(owner("a")), undefined);
    await clock.advance(1000);
    assert.deepEqual(started, []);
  });

  it("is forgotten after a while", async () => {
    const { clock, prerendered, start } = setUp();
    start("a");
    await clock.advance(61_000);
    assert.equal(await prerendered.take(owner("a")), undefined);
  });

  it("that fails is none", async () => {
    const { clock, prerendered } = setUp();
    prerendered.start(owner("a"), () => Promise.reject(new Error("the source is down")));
    await clock.advance(400);
    assert.equal(await prerendered.take(owner("a")), undefined);
  });

  it("is made for three at a time; others follow when one is taken", async () => {
    const { clock, prerendered, start, started } = setUp();
    for (const name of ["a", "b", "c", "d"]) start(name);
    await clock.advance(400);
    assert.deepEqual(started, ["a", "b", "c"]);
    await prerendered.take(owner("a"));
    start("d");
    await clock.advance(400);
    assert.equal(await prerendered.take(owner("d")), "d 1");
  });

  it("of an object that is gone is dropped, and one of its name begins anew", async () => {
    const { clock, prerendered, start, started } = setUp();
    start("a");
    prerendered.forget(owner("a"));
    await clock.advance(400);
    assert.deepEqual(started, []);
    start("a");
    await clock.advance(400);
    assert.deepEqual(started, ["a"]);
  });
});
