import assert from "node:assert/strict";
import { test } from "node:test";
import { request } from "../test/loopback.ts";
import { compose, type Handler, type Interceptor } from "./message.ts";

const ok: Handler = () => ({ status: 200, headers: {} });

function noting(log: string[], name: string): Interceptor {
  return (next) => async (request) => {
    log.push(`${name} in`);
    const response = await next(request);
    log.push(`${name} out`);
    return response;
  };
}

test("the first interceptor is the outermost", async () => {
  const log: string[] = [];
  const handler = compose(ok, noting(log, "a"), noting(log, "b"));
  await handler(request());
  assert.deepEqual(log, ["a in", "b in", "b out", "a out"]);
});

test("without interceptors the handler is what it was", () => {
  assert.equal(compose(ok), ok);
});

test("an interceptor may answer by itself", async () => {
  const refuse: Interceptor = () => () => ({ status: 403, headers: {} });
  const handler = compose(() => assert.fail("it was asked"), refuse);
  assert.equal((await handler(request())).status, 403);
});
