import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { notFoundError } from "./constructors.ts";
import * as is from "./predicates.ts";
import { type FailedResponse, statusErrorFromResponse } from "./response.ts";
import { StatusError, statusError } from "./status.ts";

const deployments = { group: "apps", resource: "deployments" };

function response(httpStatus: number, text: string, rest?: Partial<FailedResponse>) {
  const body = new TextEncoder().encode(text);
  return { httpStatus, body, method: "GET", resource: deployments, name: "x", ...rest };
}

describe("a response without a Status is read as client-go reads it", () => {
  const end = "(get deployments.apps x)";
  const unnamed = { resource: { group: "", resource: "" }, name: "" };
  const rows: Record<string, [response: FailedResponse, reason: string, message: string]> = {
    "a redirect has no reason": [
      response(302, "text"),
      "",
      `the server responded with the status code 302 but did not return more information ${end}`,
    ],
    "400": [
      response(400, "text"),
      "BadRequest",
      `the server rejected our request for an unknown reason ${end}`,
    ],
    "401": [
      response(401, "text"),
      "Unauthorized",
      `the server has asked for the client to provide credentials ${end}`,
    ],
    "403 keeps the server's words": [response(403, "text"), "Forbidden", `text ${end}`],
    "404": [
      response(404, "text"),
      "NotFound",
      `the server could not find the requested resource ${end}`,
    ],
    "406 keeps the server's words": [response(406, "text"), "NotAcceptable", `text ${end}`],
    "406 without words": [
      response(406, "{}", { ...unnamed, contentType: "application/octet-stream" }),
      "NotAcceptable",
      "the server was unable to respond with a content type that the client supports",
    ],
    "409 to a POST means that it exists": [
      response(409, "text", { method: "POST", name: "" }),
      "AlreadyExists",
      "the server reported a conflict (post deployments.apps)",
    ],
    "409 to another method is a conflict": [
      response(409, "text"),
      "Conflict",
      `the server reported a conflict ${end}`,
    ],
    "410 has no reason": [
      response(410, "text"),
      "",
      `the server responded with the status code 410 but did not return more information ${end}`,
    ],
    "422": [
      response(422, "text"),
      "Invalid",
      `the server rejected our request due to an error in our request ${end}`,
    ],
    "429": [
      response(429, "text"),
      "TooManyRequests",
      `the server has received too many requests and has asked us to try again later ${end}`,
    ],
    "502 is an internal error with the server's words": [
      response(502, " <b>text</b>\n", { contentType: "text/html; charset=utf-8" }),
      "InternalError",
      `an error on the server ("<b>text</b>") has prevented the request from succeeding ${end}`,
    ],
    "503": [
      response(503, "text"),
      "ServiceUnavailable",
      `the server is currently unable to handle the request ${end}`,
    ],
    "JSON that is no Status": [
      response(500, '{"error":"x"}', { contentType: "application/json" }),
      "InternalError",
      `an error on the server ("unknown") has prevented the request from succeeding ${end}`,
    ],
    "a Status of success": [
      response(404, '{"kind":"Status","apiVersion":"v1","status":"Success"}', {
        contentType: "application/json",
      }),
      "NotFound",
      `the server could not find the requested resource ${end}`,
    ],
    "a truncated Status": [
      response(404, '{"kind":"Status","apiV', { contentType: "application/json" }),
      "NotFound",
      `the server could not find the requested resource ${end}`,
    ],
  };
  for (const [name, [response, reason, message]] of Object.entries(rows)) {
    it(name, () => {
      const error = statusErrorFromResponse(response);
      assert.equal(error.reason, reason);
      assert.equal(error.message, message);
      assert.equal(error.httpStatus, response.httpStatus);
      assert.ok(is.findStatusCause(error, "UnexpectedServerResponse"));
    });
  }

  it("keeps at most 2048 bytes of the text", () => {
    const error = statusErrorFromResponse(response(500, "x".repeat(5000)));
    assert.equal(is.findStatusCause(error, "UnexpectedServerResponse")?.message?.length, 2048);
  });

  it("keeps the Retry-After header", () => {
    const error = statusErrorFromResponse(response(429, "", { retryAfterSeconds: 7 }));
    assert.equal(is.suggestedDelaySeconds(error), 7);
  });
});

describe("a response with a Status keeps it", () => {
  it("reason, details and causes included", () => {
    const { status } = notFoundError(deployments, "x");
    const error = statusErrorFromResponse(
      response(404, JSON.stringify(status), { contentType: "application/json" }),
    );
    assert.deepEqual(error.status, status);
    assert.equal(error.message, 'deployments.apps "x" not found');
  });

  it("and gets the HTTP status where it has no code", () => {
    const text = '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Gone"}';
    assert.equal(statusErrorFromResponse(response(410, text)).httpStatus, 410);
  });
});

describe("predicates", () => {
  it("see through wrapped errors", () => {
    const wrapped = new Error("outer", {
      cause: new Error("inner", { cause: notFoundError(deployments, "x") }),
    });
    assert.ok(is.isNotFound(wrapped));
    assert.ok(!is.isConflict(wrapped));
  });

  it("end on an error that is its own cause", () => {
    const error = new Error("loop");
    error.cause = error;
    assert.ok(!is.isNotFound(error));
  });

  it("are false for what has no Status", () => {
    for (const value of [undefined, null, "x", new Error("x")]) assert.ok(!is.isNotFound(value));
  });

  it("go by a known reason, whatever the HTTP status", () => {
    const error = statusError({ code: 404, reason: "Conflict", message: "" });
    assert.ok(!is.isNotFound(error));
    assert.ok(is.isConflict(error));
  });

  it("go by the HTTP status where the reason is unknown", () => {
    assert.ok(is.isNotFound(statusError({ code: 404, reason: "Custom", message: "" })));
    assert.ok(is.isNotFound(statusError({ code: 404, reason: "", message: "" })));
  });

  it("tell an existing object from a conflict, both 409", () => {
    const error = statusError({ code: 409, reason: "AlreadyExists", message: "" });
    assert.ok(is.isAlreadyExists(error));
    assert.ok(!is.isConflict(error));
  });

  it("tell an expired version from a gone one, both 410", () => {
    const error = statusError({ code: 410, reason: "Expired", message: "" });
    assert.ok(is.isResourceExpired(error));
    assert.ok(!is.isGone(error));
  });

  it("take 429 and 413 for what they say, also with a known reason", () => {
    assert.ok(is.isTooManyRequests(statusError({ code: 429, reason: "Timeout", message: "" })));
    assert.ok(is.isRequestEntityTooLarge(statusError({ code: 413, reason: "Gone", message: "" })));
  });

  it("give the delay that the server suggests", () => {
    const timeout = statusError({ code: 500, reason: "ServerTimeout", message: "", details: {} });
    assert.equal(is.suggestedDelaySeconds(timeout), 0);
    assert.equal(is.suggestedDelaySeconds(notFoundError(deployments, "x")), undefined);
  });
});

describe("StatusError", () => {
  it("is an Error whose message is the Status'", () => {
    const error = notFoundError(deployments, "x");
    assert.ok(error instanceof Error && error instanceof StatusError);
    assert.equal(error.code, "Status");
    assert.equal(error.message, error.status.message);
  });
});
