import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeServer, json, request } from "../../test/fake-server.ts";
import { FakeTime, settled } from "../../test/fake-time.ts";
import { limitRate } from "./rate-limit.ts";

function setUp() {
  const server = new FakeServer(json({}));
  const time = new FakeTime();
  const handler = limitRate({ qps: 10, burst: 2 }, time)(server.handler);
  return { server, time, handler };
}

describe("a rate limit", () => {
  it("lets a burst pass, then one request after another", async () => {
    const { server, time, handler } = setUp();
    for (let i = 0; i < 5; i++) void handler(request({ path: `/${i}` }));
    await settled();
    assert.equal(server.seen.length, 2);
    await time.pass(100);
    assert.equal(server.seen.length, 3);
    await time.pass(200);
    assert.deepEqual(server.targets, ["GET /0", "GET /1", "GET /2", "GET /3", "GET /4"]);
    await time.pass(10_000);
    for (let i = 0; i < 5; i++) void handler(request());
    await settled();
    assert.equal(server.seen.length, 7, "a pause gives no more than a burst");
  });

  it("lets watches pass", async () => {
    const { server, handler } = setUp();
    for (let i = 0; i < 5; i++) void handler(request({ query: "watch=true" }));
    await settled();
    assert.equal(server.seen.length, 5);
  });

  it("gives the turn of a request that is given up to the next", async () => {
    const { server, time, handler } = setUp();
    const controller = new AbortController();
    for (let i = 0; i < 2; i++) void handler(request());
    const sent = Promise.resolve(handler(request({ signal: controller.signal })));
    controller.abort(new Error("given up"));
    await assert.rejects(sent, /given up/);
    void handler(request());
    await time.pass(100);
    assert.equal(server.seen.length, 3);
  });
});
