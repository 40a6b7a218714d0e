import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decodeContinue, encodeContinue } from "./continue-token.ts";

function encoded(token: unknown): string {
  const text = typeof token === "string" ? token : JSON.stringify(token);
  return Buffer.from(text).toString("base64url");
}

describe("where a list goes on", () => {
  it("is written as kube-apiserver writes it", () => {
    const token = encodeContinue({ revision: 7, start: "default/a\0" });
    const text = Buffer.from(token, "base64url").toString();
    assert.equal(text, '{"v":"meta.k8s.io/v1","rv":7,"start":"/default/a\\u0000"}');
  });

  it("is found again", () => {
    const name = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
    const revision = fc.oneof(fc.constant(-1), fc.integer({ min: 1 }));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 2 }), revision, (names, at) => {
        const token = { revision: at, start: `${names.join("/")}\0` };
        assert.deepEqual(decodeContinue(encodeContinue(token)), token);
      }),
    );
  });

  const v = "meta.k8s.io/v1";
  const rows: Record<string, [token: string, why: string]> = {
    "no base64": ["a$b", "continue key is not valid: illegal base64 data at input byte 1"],
    "base64 that is cut off": [
      "abcde",
      "continue key is not valid: illegal base64 data at input byte 4",
    ],
    "no JSON": [
      encoded("nope"),
      "continue key is not valid: invalid character 'o' in literal null (expecting 'u')",
    ],
    "no object": [
      encoded([]),
      "continue key is not valid: json: cannot unmarshal array into Go value of type storage.continueToken",
    ],
    "a revision of another type": [
      encoded({ v, rv: "5", start: "a" }),
      "continue key is not valid: json: cannot unmarshal string into Go struct field continueToken.rv of type int64",
    ],
    "another version": [
      encoded({ v: "x", rv: 1, start: "a" }),
      "continue key is not valid: server does not recognize this encoded version x",
    ],
    "no revision": [
      encoded({ v, start: "a" }),
      `continue key is not valid: incorrect encoded start resourceVersion (version ${v})`,
    ],
    "no start": [
      encoded({ v, rv: 5 }),
      `continue key is not valid: encoded start key empty (version ${v})`,
    ],
    "a way out of the resource": [
      encoded({ v, rv: 5, start: "../secrets/x" }),
      "continue key is not valid: ../secrets/x",
    ],
  };
  for (const [sentence, [token, why]] of Object.entries(rows)) {
    it(`is refused: ${sentence}`, () => {
      const message = `invalid continue token: ${why}`;
      assert.throws(() => decodeContinue(token), { httpStatus: 400, message });
    });
  }
});
