import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context, createHttpClient } from "@rookery/http";
import { freePort } from "@rookery/testing";
import { failureOf } from "./policies.ts";

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

  it("leaves alone what is not about the cluster", () => {
    assert.equal(failureOf(new TypeError("a mistake of ours")), undefined);
  });
});
