import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestError, type RequestErrorCode, ThumbprintMismatchError } from "@rookery/http";
import { CircuitOpenError } from "@rookery/runtime";
import { AddressNotAllowedError, UnexpectedAnswerError, VimFaultError } from "./errors.ts";
import { failureOf, failureOfMachine } from "./failures.ts";

const server = "vc.example";
const hint = "hush-internal.corp 10.1.2.3 AB:CD";

function requestError(code: RequestErrorCode, cause: Error = new Error(hint)): RequestError {
  const failed = {
    method: "POST",
    origin: `https://${server}`,
    path: "/sdk",
    stage: "connect",
  } as const;
  return new RequestError(failed, code, { reason: hint, cause });
}

const errors: Record<string, [error: Error, reason: string, message: RegExp]> = {
  "refuses connections": [
    requestError("ConnectionRefused"),
    "VCenterUnreachable",
    /refuses connections/,
  ],
  "does not answer": [requestError("TimedOut"), "VCenterUnreachable", /not answer in time/],
  "has a certificate of others": [requestError("TlsFailed"), "VCenterUnreachable", /authority/],
  "is lost": [requestError("ConnectionLost"), "VCenterUnreachable", /the connection fails/],
  "has another certificate": [
    requestError("TlsFailed", new ThumbprintMismatchError("AB12", "F00D")),
    "ThumbprintMismatch",
    /does not have the thumbprint of the spec/,
  ],
  "is no vCenter": [new UnexpectedAnswerError("Login", hint), "VCenterUnreachable", /no vCenter/],
  "refuses a call": [
    new VimFaultError("Login", hint, hint),
    "VCenterUnreachable",
    /refuses a call/,
  ],
  "has an address that is closed": [
    new AddressNotAllowedError("vc.example"),
    "VCenterUnreachable",
    /no vCenter/,
  ],
};

describe("of a server that is listed, a condition says why it cannot be used, and nothing that it sent:", () => {
  for (const [what, [error, reason, message]] of Object.entries(errors)) {
    it(`it ${what}`, () => {
      const failure = failureOf(error, { server, isListed: true });
      assert.deepEqual([failure?.reason, failure?.retryAfter], [reason, 30]);
      assert.match(failure?.message ?? "", /^could not use vc\.example: /);
      assert.match(failure?.message ?? "", message);
      assert.doesNotMatch(failure?.message ?? "", /hush|F0:0D|F00D|10\.1/);
    });
  }
});

it("of a server that nobody lists, a condition always says the same", () => {
  const said = Object.values(errors).map(([error]) =>
    failureOf(error, { server, isListed: false }),
  );
  assert.equal(new Set(said.map((failure) => JSON.stringify(failure))).size, 1);
  assert.equal(said[0]?.reason, "VCenterUnreachable");
  const open = new CircuitOpenError(server, 3, { afterMs: 15_000, at: new Date(0) });
  const late = failureOf(open, { server, isListed: false });
  assert.deepEqual([late?.message, late?.retryAfter], [said[0]?.message, 15]);
});

it("an error that is not about the cluster is left alone", () => {
  const mistake = new TypeError("a mistake of ours");
  assert.equal(failureOf(mistake, { server, isListed: true }), undefined);
});

const unlisted = { server: "vc.example", isListed: false };

describe("a fault that a machine's condition tells", () => {
  it("is the vCenter's own words for whoever has an account there", () => {
    const fault = new VimFaultError("CloneVM_Task", "NoPermission", "not for you");
    const failure = failureOfMachine(fault, unlisted);
    assert.equal(failure?.reason, "Refused");
    assert.match(failure?.message ?? "", /not for you/);
  });

  for (const method of ["RetrieveServiceContent", "Login"]) {
    it(`says nothing of what answers ${method}`, () => {
      const failure = failureOfMachine(new VimFaultError(method, "hush", "hush"), unlisted);
      assert.equal(failure?.reason, "VCenterUnreachable");
      assert.doesNotMatch(failure?.message ?? "", /hush/);
    });
  }
});
