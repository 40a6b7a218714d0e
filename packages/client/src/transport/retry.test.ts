import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HttpRequest, RequestError, type RequestErrorCode } from "@rookery/http";
import { type Answer, FakeServer, failure, json, request } from "../../test/fake-server.ts";
import { FakeTime, HastyTime, settled } from "../../test/fake-time.ts";
import { retryRequests } from "./retry.ts";

const later = (seconds: string) =>
  failure(429, "TooManyRequests", { headers: { "retry-after": seconds } });
const ok = json({ ok: true });

function broken(code: RequestErrorCode, cause?: string): RequestError {
  const failed = { method: "GET", origin: "https://a", path: "/", stage: "headers" } as const;
  const reason = { reason: "broken", cause: cause && Object.assign(new Error(), { code: cause }) };
  return new RequestError(failed, code, reason);
}

function setUp(answers: Answer[], { random = 0, retries = 10 } = {}) {
  const server = new FakeServer(...answers);
  const time = new HastyTime();
  const options = { retries, timekeeper: time, random: () => random };
  const handler = retryRequests(options)(server.handler);
  return {
    server,
    time,
    send: async (parts: Partial<HttpRequest> = {}) => handler(request(parts)),
  };
}

describe("retry", () => {
  const again: Record<string, [Answer, Partial<HttpRequest>?]> = {
    "429 with Retry-After": [later("1")],
    "503 with Retry-After": [
      failure(503, "ServiceUnavailable", { headers: { "retry-after": "1" } }),
    ],
    "500 with Retry-After, even a POST": [
      failure(500, "InternalError", { headers: { "retry-after": "1" } }),
      { method: "POST", body: Buffer.from("{}") },
    ],
    "a watch that is put off": [later("1"), { query: "watch=true" }],
    "a GET whose connection broke": [broken("ConnectionLost")],
    "a GET whose connection was reset while it was made": [broken("ConnectFailed", "ECONNRESET")],
  };
  for (const [name, [answer, parts]] of Object.entries(again)) {
    it(`sends again: ${name}`, async () => {
      const { server, send } = setUp([answer, ok]);
      assert.equal((await send(parts)).status, 200);
      assert.equal(server.seen.length, 2);
      assert.deepEqual(server.seen[1], server.seen[0]);
    });
  }

  const never: Record<string, [Answer, Partial<HttpRequest>?]> = {
    "429 without Retry-After": [failure(429, "TooManyRequests")],
    "404 with Retry-After": [failure(404, "NotFound", { headers: { "retry-after": "1" } })],
    "a date in Retry-After": [later("Wed, 21 Oct 2030 07:28:00 GMT")],
    "a server that asks for more than a minute": [later("61")],
    "a connection that is refused": [broken("ConnectionRefused")],
    "a PUT whose connection broke": [broken("ConnectionLost"), { method: "PUT" }],
    "what is no error of a connection": [new Error("other")],
    "a body that can be written only once": [
      later("1"),
      { method: "POST", body: (sink) => void sink.write(Buffer.from("{}")) },
    ],
  };
  for (const [name, [answer, parts]] of Object.entries(never)) {
    it(`does not send again: ${name}`, async () => {
      const { server, send } = setUp([answer, ok]);
      if (answer instanceof Error) await assert.rejects(send(parts), answer);
      else assert.equal(await send(parts), answer);
      assert.equal(server.seen.length, 1);
    });
  }

  it("gives up after so many times, with the last answer", async () => {
    const { server, send } = setUp([later("1")], { retries: 3 });
    assert.equal((await send()).status, 429);
    assert.equal(server.seen.length, 4);
  });

  it("waits as long as the server asks, and a random part longer", async () => {
    const { time, send } = setUp([later("2"), later("0"), later("0"), ok], { random: 0.5 });
    await send();
    assert.deepEqual(time.waits, [2_050, 300, 600]);
  });

  it("doubles its back-off up to ten seconds", async () => {
    const { time, send } = setUp([broken("ConnectionLost")]);
    await assert.rejects(send());
    assert.deepEqual(time.waits, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
  });

  it("stops waiting when the request is given up", async () => {
    const server = new FakeServer(later("1"), ok);
    const time = new FakeTime();
    const handler = retryRequests({ retries: 1, timekeeper: time, random: () => 0 })(
      server.handler,
    );
    const controller = new AbortController();
    const sent = Promise.resolve(handler(request({ signal: controller.signal })));
    await settled();
    controller.abort(new Error("given up"));
    await assert.rejects(sent, /given up/);
    assert.equal(time.pending, 0);
    assert.equal(server.seen.length, 1);
  });
});
