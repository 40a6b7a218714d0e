import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isInScope } from "@rookery/runtime";
import fc from "fast-check";
import { exclusionSelector, maxSelectorBytes } from "./exclusion.ts";
import { createVisibility, type NarrowScope } from "./visibility.ts";

const clusters = { group: "cluster.x-k8s.io", version: "v1beta2", resource: "clusters" };
const secrets = { group: "", version: "v1", resource: "secrets" };

const named = (...namespaces: string[]): NarrowScope => ({ type: "namespaces", namespaces });
const excluded = (...namespaces: string[]): NarrowScope => ({ type: "excluded", namespaces });

function selector(scope: NarrowScope, known: readonly string[], target = clusters): string {
  const visibility = createVisibility(scope, "own");
  return exclusionSelector(visibility.seenOf(target), { visibility, knownNamespaces: () => known });
}

describe("what the server is asked to leave out", () => {
  const known = ["d", "c", "b", "a", "own"];
  const rows: Record<string, [selector: string, expected: string]> = {
    "all other namespaces that there are": [
      selector(named("a", "b"), known),
      "metadata.namespace!=c,metadata.namespace!=d,metadata.namespace!=own",
    ],
    "but not the app's own, where it keeps what it needs itself": [
      selector(named("a", "b"), known, secrets),
      "metadata.namespace!=c,metadata.namespace!=d",
    ],
    "everything but a single namespace, in few words": [
      selector(named("a"), known),
      "metadata.namespace=a",
    ],
    "more words, where the app's own comes beside the single one": [
      selector(named("a"), known, secrets),
      "metadata.namespace!=b,metadata.namespace!=c,metadata.namespace!=d",
    ],
    "few words, where the app lives in the single one": [
      selector(named("own"), known, secrets),
      "metadata.namespace=own",
    ],
    "what is excluded by name, whether it is there or not": [
      selector(excluded("x", "a"), []),
      "metadata.namespace!=a,metadata.namespace!=x",
    ],
    "nothing, where nothing else is known": [selector(named("a", "b"), []), ""],
  };
  for (const [what, [found, expected]] of Object.entries(rows)) {
    it(what, () => assert.equal(found, expected));
  }

  it("is never what is seen, and never longer than a URL bears", () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    const scopes = fc.record({
      type: fc.constantFrom("namespaces" as const, "excluded" as const),
      namespaces: fc.uniqueArray(name, { minLength: 1, maxLength: 5 }),
    });
    fc.assert(
      fc.property(scopes, fc.array(name), (scope, some) => {
        const text = selector(scope, some);
        const left = text.split(",").filter((term) => term.includes("!="));
        for (const term of left) assert.ok(!isInScope(scope, term.split("!=")[1] ?? ""), text);
        if (text.includes("e=")) assert.deepEqual(scope.namespaces, [text.split("=")[1]]);
      }),
    );
    const many = Array.from({ length: 5_000 }, (_, i) => `namespace-${i}`);
    const long = new URLSearchParams([["", selector(named("a", "b"), many)]]).toString();
    assert.ok(long.length <= maxSelectorBytes && long.length > maxSelectorBytes * 0.99);
  });
});
