import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { substitutePaths } from "./path-substitution.ts";

const mounts = [
  { source: "/p/certs", target: "/certs", readOnly: true },
  { source: "/p/deep", target: "/certs/deep", readOnly: false },
];
const rows: readonly (readonly [string, string])[] = [
  ["/certs", "/p/certs"],
  ["--file=/certs/tls.crt", "--file=/p/certs/tls.crt"],
  ["/certs/a,/certs/deep/b", "/p/certs/a,/p/deep/b"],
  ["cat /certs/a && ls '/certs/deep'", "cat /p/certs/a && ls '/p/deep'"],
  ["/certs-other/a", "/certs-other/a"],
  ["/x/certs/a", "/x/certs/a"],
];

describe("where nobody can mount", () => {
  for (const [text, substituted] of rows) {
    it(`${text} means ${substituted}`, () => {
      assert.equal(substitutePaths(text, mounts), substituted);
    });
  }
});
