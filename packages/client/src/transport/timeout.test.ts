import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context, collectBody, type Handler, type HttpRequest } from "@rookery/http";
import { json, request } from "../../test/fake-server.ts";
import { FakeTime, settled } from "../../test/fake-time.ts";
import { RequestTimeoutError } from "../errors.ts";
import { requestTimeout, requestTimeoutKey } from "./timeout.ts";

/** Never answers, but notices that it is given up. */
const silent: Handler = ({ signal }) =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Answers at once with a body that never ends. */
const endless: Handler = ({ signal }) => ({
  status: 200,
  headers: {},
  body: () =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
});

function setUp(handler: Handler, milliseconds = 1_000) {
  const time = new FakeTime();
  const limited = requestTimeout({ milliseconds, timekeeper: time })(handler);
  return { time, send: async (parts: Partial<HttpRequest> = {}) => limited(request(parts)) };
}

describe("a request timeout", () => {
  it("gives up a request without an answer, and says which", async () => {
    const { time, send } = setUp(silent);
    const sent = assert.rejects(send(), (error) => {
      assert(error instanceof RequestTimeoutError);
      assert.equal(error.message, "could not GET /api/v1/pods: not done within 1000 ms");
      return true;
    });
    await time.pass(1_000);
    await sent;
  });

  it("gives up an answer whose body does not end", async () => {
    const { time, send } = setUp(endless);
    const { body } = await send();
    const read = assert.rejects(collectBody(body, { limit: 1 }), RequestTimeoutError);
    await time.pass(1_000);
    await read;
  });

  it("leaves no timer and no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === "addEventListener") listeners += 1;
        if (name === "removeEventListener") listeners -= 1;
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    for (const handler of [() => json({}), () => Promise.reject(new Error("failed"))]) {
      const { time, send } = setUp(handler);
      await send({ signal: counted }).catch(() => {});
      assert.equal(time.pending, 0);
      assert.equal(listeners, 0);
    }
  });

  it("passes on that the request is given up", async () => {
    const { time, send } = setUp(silent);
    const controller = new AbortController();
    const sent = send({ signal: controller.signal });
    controller.abort(new Error("given up"));
    await assert.rejects(sent, /given up/);
    assert.equal(time.pending, 0);
    await assert.rejects(send({ signal: controller.signal }), /given up/);
  });

  it("may be another one for one request, or none", async () => {
    const { time, send } = setUp(silent);
    const context = Context.empty.with(requestTimeoutKey, 10);
    const sent = assert.rejects(send({ context }), /not done within 10 ms/);
    await time.pass(10);
    await sent;
    void send({ context: Context.empty.with(requestTimeoutKey, 0) });
    assert.equal(time.pending, 0);
  });

  const longRunning: Record<string, Partial<HttpRequest>> = {
    "a watch": { query: "resourceVersion=1&watch=true" },
    "a watch in other words": { query: "watch=1" },
    "a log that is followed": { query: "follow=true&container=x" },
    "a switched protocol": { headers: { connection: "upgrade", upgrade: "SPDY/3.1" } },
  };
  for (const [name, parts] of Object.entries(longRunning)) {
    it(`is never for ${name}`, async () => {
      const { time, send } = setUp(silent);
      void send(parts);
      await settled();
      assert.equal(time.pending, 0);
    });
  }

  it("is for a list that only looks like a watch", async () => {
    const { time, send } = setUp(silent);
    send({ query: "labelSelector=watch%3Dtrue&watch=false" }).catch(() => {});
    assert.equal(time.pending, 1);
  });
});
