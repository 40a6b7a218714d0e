import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { canonicalRequest } from "./canonical-request.ts";

const line = (path: string, query = "") => ({ method: "GET", path, query });

describe("a request in the form in which everybody reads it alike", () => {
  const rows: Record<string, [path: string, expected: string]> = {
    "stays as it is where there is but one": [
      "/apis/apps/v1/namespaces/n/deployments/x/status",
      "/apis/apps/v1/namespaces/n/deployments/x/status",
    ],
    "has no escapes that nobody needs": [
      "/api/v1/name%73paces/n/pods",
      "/api/v1/namespaces/n/pods",
    ],
    "has slashes as such": ["/api%2Fv1/namespaces%2fn/pods", "/api/v1/namespaces/n/pods"],
    "has no slashes at its end": ["/api/v1/namespaces/n/pods//", "/api/v1/namespaces/n/pods"],
    "keeps names with colons": ["/api/v1/x/system:node", "/api/v1/x/system:node"],
    "escapes what would begin a query": ["/api/v1/pods/a%3Fwatch=1", "/api/v1/pods/a%3Fwatch=1"],
    "escapes what is no ASCII": ["/api/v1/pods/\xc3\xbc", "/api/v1/pods/%C3%BC"],
    "keeps what is decoded once encoded": ["/api/v1/pods/a%252Fb", "/api/v1/pods/a%252Fb"],
    "keeps a slash at the end of what is no resource": ["/apis/", "/apis/"],
    "keeps the root": ["/", "/"],
    "keeps empty segments behind a proxy": [
      "/api/v1/namespaces/n/pods/x/proxy//a//",
      "/api/v1/namespaces/n/pods/x/proxy//a//",
    ],
  };
  for (const [what, [path, expected]] of Object.entries(rows)) {
    it(what, () => assert.equal(canonicalRequest(line(path)).path, expected));
  }

  const refused: Record<string, [path: string, why: RegExp]> = {
    "an empty namespace": ["/api/v1/namespaces//secrets", /it has an empty segment/],
    "an empty namespace that is escaped": ["/api/v1/namespaces/%2Fsecrets", /an empty segment/],
    "an empty name before a proxy": ["/api/v1/namespaces/n/pods//proxy/x", /an empty segment/],
    "an empty group": ["/apis//v1/pods", /an empty segment/],
    "slashes at the beginning": ["//api/v1/pods", /an empty segment/],
    "nothing but slashes": ["//", /an empty segment/],
    "a dot": ["/api/v1/namespaces/./pods", /a segment "\." or "\.\."/],
    "dots that are escaped": ["/api/v1/namespaces/%2e%2E/pods", /a segment "\." or "\.\."/],
    "dots behind a proxy": ["/api/v1/namespaces/n/pods/x/proxy/a/../b", /a segment "\."/],
    "a zero byte": ["/api/v1/pods/a%00", /a control character/],
    "a line feed": ["/api/v1/pods/a%0a", /a control character/],
    "no UTF-8": ["/api/v1/pods/%ff", /it is not UTF-8/],
    "half an escape": ["/api/v1/pods/%2", /an escape that is none/],
    "an old path that is cut off": ["/api/v1/watch", /unable to determine kind and namespace/],
  };
  for (const [what, [path, message]] of Object.entries(refused)) {
    it(`is refused with ${what}`, () =>
      assert.throws(() => canonicalRequest(line(path)), { httpStatus: 400, message }));
  }

  it("is the same when it is read again", () => {
    const words = [
      "api",
      "apis",
      "v1",
      "namespaces",
      "n",
      "pods",
      "proxy",
      "watch",
      "",
      ".",
      "%2F",
      "%61",
      "%ff",
      "ü",
      ":",
    ];
    const paths = fc
      .array(fc.constantFrom(...words), { maxLength: 8 })
      .map((all) => `/${all.join("/")}`);
    fc.assert(
      fc.property(paths, (path) => {
        const once = read(path);
        if (once === undefined) return;
        const twice = canonicalRequest(line(once.path));
        assert.equal(twice.path, once.path);
        const { path: _, ...info } = once.info;
        const { path: __, ...same } = twice.info;
        assert.deepEqual(same, info);
      }),
      { numRuns: 2_000 },
    );
  });
});

function read(path: string) {
  try {
    return canonicalRequest(line(path));
  } catch {
    return undefined;
  }
}
