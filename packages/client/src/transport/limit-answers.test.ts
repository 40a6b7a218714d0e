import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type Body,
  Context,
  collectBody,
  compose,
  exchangeLimitsKey,
  type Handler,
  type HttpRequest,
} from "@rookery/http";
import { request } from "../../test/fake-server.ts";
import { acceptGzip } from "./compression.ts";
import { isListKey, limitAnswers } from "./limit-answers.ts";

const limits = { answerBytes: 100, listBytes: 1000, watchIdleMs: 50 };
const isList = Context.empty.with(isListKey, true);

function setUp(body: Body, headers: Record<string, string> = {}) {
  const handler = compose(
    () => ({ status: 200, headers, body }),
    limitAnswers("https://a", limits),
    acceptGzip(),
  );
  return async (parts: Partial<HttpRequest> = {}) =>
    collectBody((await handler(request(parts))).body, { limit: 1 << 20 });
}

/** Each as a stream: what is there already costs nothing more. */
const bytes =
  (length: number): Body =>
  (sink) =>
    void sink.write(Buffer.alloc(length));

describe("an answer of an API server", () => {
  it("may be as long as its limit", async () => {
    assert.equal((await setUp(bytes(100))()).length, 100);
    await assert.rejects(setUp(bytes(101))(), { code: "AnswerTooLarge" });
  });

  it("may be longer where it is a list", async () => {
    assert.equal((await setUp(bytes(1000))({ context: isList })).length, 1000);
    await assert.rejects(setUp(bytes(1001))({ context: isList }), { code: "AnswerTooLarge" });
  });

  it("is measured unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 20));
    const send = setUp((sink) => void sink.write(bomb), { "content-encoding": "gzip" });
    await assert.rejects(send({ context: isList }), { code: "AnswerTooLarge" });
  });

  it("may last where it is a watch, as long as it is not silent", async () => {
    assert.equal((await setUp(bytes(5000))({ query: "watch=true" })).length, 5000);
    const silent: Body = () => new Promise(() => {});
    await assert.rejects(setUp(silent)({ query: "watch=true" }), { code: "TimedOut" });
  });

  it("has other limits where the request says so", async () => {
    const context = Context.empty.with(exchangeLimitsKey, { answerBytes: 2000 });
    assert.equal((await setUp(bytes(2000))({ context })).length, 2000);
  });

  it("has to begin in time where it is a watch", async () => {
    const never: Handler = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const handler = limitAnswers("https://a", limits)(never);
    await assert.rejects(async () => handler(request({ query: "watch=1" })), {
      code: "DeadlineExceeded",
    });
  });
});
