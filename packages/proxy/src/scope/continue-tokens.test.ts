import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { findStatusError } from "@rookery/kube";
import fc from "fast-check";
import { continueKeyBytes, createContinueTokens } from "./continue-tokens.ts";

const key = randomBytes(continueKeyBytes);
const list = ["/api/v1/secrets", "namespaces", ["a"]];
const tokens = createContinueTokens(key, list);
const expired = (error: unknown) => findStatusError(error)?.httpStatus === 410;

describe("a continue token", () => {
  it("is the same after it was sealed and opened", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (token) => {
        assert.equal(tokens.open(tokens.seal(token)), Buffer.from(token).toString());
      }),
    );
  });

  it("is not told by what was sealed, nor by its length", () => {
    const sealed = ["theirs/secret", "theirs/a-longer-secret"].map((token) => tokens.seal(token));
    assert.equal(new Set(sealed.map(({ length }) => length)).size, 1);
    for (const one of sealed) {
      assert.doesNotMatch(Buffer.from(one, "base64url").toString("latin1"), /theirs|secret/);
    }
  });

  const sealed = tokens.seal("x");
  const changed = Buffer.from(sealed, "base64url");
  changed[40] = (changed[40] ?? 0) ^ 1;
  const others: Record<string, string> = {
    "of an API server": Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"a/b\\u0000"}').toString(
      "base64url",
    ),
    "that is cut short": sealed.slice(0, 20),
    "that is no base64": "%%%",
    "that was changed": changed.toString("base64url"),
    "of another key": createContinueTokens(randomBytes(continueKeyBytes), list).seal("x"),
    "of another list": createContinueTokens(key, ["/api/v1/pods", ...list.slice(1)]).seal("x"),
    "of another scope": createContinueTokens(key, [...list.slice(0, 2), ["a", "b"]]).seal("x"),
  };
  for (const [which, token] of Object.entries(others)) {
    it(`${which} has expired`, () => assert.throws(() => tokens.open(token), expired));
  }
});
