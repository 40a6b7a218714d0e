import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  BodyTooLargeError,
  RequestError,
  type RequestErrorCode,
  type RequestStage,
} from "@rookery/http";
import { notFoundError } from "@rookery/kube";
import { jsonOf, request } from "../test/handler.ts";
import { answerFailures } from "./failures.ts";

function failure(code: RequestErrorCode, stage: RequestStage, cause?: Error): RequestError {
  const failed = { method: "GET", origin: "https://10.0.0.1", path: "/api", stage };
  return new RequestError(failed, code, { reason: "connection refused", cause });
}

async function answer(error: unknown, method = "GET") {
  const heard: unknown[] = [];
  const options = { upstream: "the API server", onFailure: (one: unknown) => heard.push(one) };
  const handler = answerFailures(options)(() => Promise.reject(error));
  const response = await handler(request({ method }));
  assert.deepEqual(heard, [error]);
  return { response, status: await jsonOf(response) };
}

describe("a request that cannot be passed on", () => {
  it("says why, and when to come back", async () => {
    const { response, status } = await answer(failure("ConnectionRefused", "connect"));
    assert.equal(response.status, 503);
    assert.equal(response.headers["retry-after"], "1");
    assert.equal(response.headers["content-type"], "application/json");
    assert.deepEqual(status, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        "the proxy got no answer from the API server: could not GET https://10.0.0.1/api: connection refused",
      reason: "ServiceUnavailable",
      details: { retryAfterSeconds: 1 },
      code: 503,
    });
  });

  const rows: Record<string, [error: unknown, method: string, code: number, retry: boolean]> = {
    "a write that the server has not seen may be done again": [
      failure("ConnectFailed", "connect"),
      "POST",
      503,
      true,
    ],
    "a write that may have been done must not be": [
      failure("ConnectionLost", "headers"),
      "POST",
      502,
      false,
    ],
    "a write that took too long must not be": [failure("TimedOut", "headers"), "PATCH", 504, false],
    "a read may always be done again": [failure("ConnectionLost", "headers"), "GET", 503, true],
    "a body that is too long is the client's fault": [
      failure("BodyFailed", "headers", new BodyTooLargeError(5)),
      "PUT",
      413,
      false,
    ],
    "a failure that has a Status keeps it": [
      notFoundError({ group: "", resource: "pods" }, "a"),
      "GET",
      404,
      false,
    ],
    "what nobody expected is unavailable": [new Error("no credentials"), "POST", 503, true],
  };
  for (const [name, [error, method, code, retry]] of Object.entries(rows)) {
    it(name, async () => {
      const { response, status } = await answer(error, method);
      assert.equal(response.status, code);
      assert.equal(status.code, code);
      assert.equal(response.headers["retry-after"] !== undefined, retry);
    });
  }

  it("says whose limit a body is too long for", async () => {
    const { status } = await answer(new BodyTooLargeError(5), "PUT");
    assert.equal(
      status.message,
      "Request entity too large: limit is 5, set by --max-request-body of the proxy",
    );
  });

  it("does not ask a client to come back that would wait for it", async () => {
    const options = { upstream: "it", mayRetry: false, onFailure: () => {} };
    const refused = failure("ConnectionRefused", "connect");
    const response = await answerFailures(options)(() => Promise.reject(refused))(request());
    assert.deepEqual([response.status, response.headers["retry-after"]], [503, undefined]);
  });

  it("has no answer where nobody waits", async () => {
    const heard: unknown[] = [];
    const options = { upstream: "it", onFailure: (one: unknown) => heard.push(one) };
    const gone = new Error("gone");
    const handler = answerFailures(options)(() => Promise.reject(gone));
    const signal = AbortSignal.abort(gone);
    await assert.rejects(async () => handler(request({ signal })), gone);
    assert.deepEqual(heard, []);
  });
});
