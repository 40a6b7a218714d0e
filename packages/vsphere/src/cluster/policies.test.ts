import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context, createHttpClient } from "@rookery/http";
import { CircuitOpenError } from "@rookery/runtime";
import { freePort } from "@rookery/testing";
import { UnexpectedAnswerError, VCenterTimeoutError, VimFaultError } from "../errors.ts";
import { failureOf } from "./policies.ts";

const failing: Record<string, Error> = {
  "is left alone for a while": new CircuitOpenError("vc", 3, { afterMs: 12_000, at: new Date() }),
  "answers what no vCenter does": new UnexpectedAnswerError("Login", "no XML"),
  "takes too long for all calls together": new VCenterTimeoutError("vc", 90_000),
  "refuses to say what it is": new VimFaultError("RetrieveServiceContent", "NotSupported", ""),
};

describe("failureOf", () => {
  it("says that a vCenter cannot be reached, and when to look again", async () => {
    const origin = `https://127.0.0.1:${await freePort("127.0.0.1")}`;
    const http = createHttpClient({ origin });
    const { signal } = new AbortController();
    const request = { method: "GET", path: "/sdk", query: "", headers: {}, signal };
    const asked = async () => http.handler({ ...request, context: Context.empty });
    const error = await asked().catch((failure: unknown) => failure);
    await http.destroy();
    const failure = failureOf(error);
    assert.equal(failure?.reason, "VCenterUnreachable");
    assert.match(failure?.message ?? "", new RegExp(origin));
    assert.equal(failure?.retryAfter, 30);
  });

  for (const [name, error] of Object.entries(failing)) {
    it(`says so of a vCenter that ${name}`, () => {
      const failure = failureOf(error);
      assert.equal(failure?.reason, "VCenterUnreachable");
      assert.equal(failure?.message, error.message);
      assert.equal(failure?.retryAfter, error instanceof CircuitOpenError ? 12 : 30);
    });
  }

  it("leaves alone what is not about the cluster", () => {
    assert.equal(failureOf(new TypeError("a mistake of ours")), undefined);
  });
});
