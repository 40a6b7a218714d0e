import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseArgs } from "node:util";
import { NamespaceFlagError } from "../errors.ts";
import type { NamespaceScope } from "./namespace-scope.ts";
import { namespaceScopeProblems, parseNamespaceScope } from "./scope-flags.ts";

const options = {
  namespace: { type: "string", multiple: true },
  "excluded-namespace": { type: "string", multiple: true },
} as const;

function scopeOf(...args: readonly string[]): NamespaceScope {
  return parseNamespaceScope(parseArgs({ args, options }).values);
}

describe("the flags of the namespace scope", () => {
  const good: Record<string, [string[], NamespaceScope]> = {
    "all namespaces without a flag": [[], { type: "all" }],
    "one selected namespace": [["--namespace=a"], { type: "namespaces", namespaces: ["a"] }],
    "several selected by repetition": [
      ["--namespace", "a", "--namespace", "b"],
      { type: "namespaces", namespaces: ["a", "b"] },
    ],
    "several selected with commas": [
      ["--namespace=a,b", "--namespace=c"],
      { type: "namespaces", namespaces: ["a", "b", "c"] },
    ],
    "several excluded": [
      ["--excluded-namespace", "a", "--excluded-namespace", "b,c"],
      { type: "excluded", namespaces: ["a", "b", "c"] },
    ],
    "each namespace once": [
      ["--namespace=a,b,a", "--namespace", "b"],
      { type: "namespaces", namespaces: ["a", "b"] },
    ],
    "names with blanks around them": [
      ["--namespace=a, b"],
      { type: "namespaces", namespaces: ["a", "b"] },
    ],
  };
  for (const [what, [args, scope]] of Object.entries(good)) {
    it(`give ${what}`, () => assert.deepEqual(scopeOf(...args), scope));
  }

  const bad: Record<string, [string[], string]> = {
    "both at once": [
      ["--namespace=a", "--excluded-namespace=b"],
      "could not use --namespace and --excluded-namespace: they exclude each other: name either the namespaces to watch or those to leave out",
    ],
    "an empty value": [
      ["--namespace="],
      'could not use --namespace="": it names no namespace; to watch all namespaces, leave the flag out',
    ],
    "an empty name between commas": [
      ["--excluded-namespace=a,,b"],
      'could not use --excluded-namespace="": it names no namespace; to leave none out, leave the flag out',
    ],
    "a name that no namespace can have": [
      ["--namespace=team_a"],
      "could not use --namespace=\"team_a\": it is no name of a namespace: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    "a selector in the place of a name": [
      ["--excluded-namespace=metadata.namespace!=a"],
      "could not use --excluded-namespace=\"metadata.namespace!=a\": it is no name of a namespace: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  };
  for (const [what, [args, message]] of Object.entries(bad)) {
    it(`refuse ${what}`, () => {
      assert.throws(
        () => scopeOf(...args),
        (error) => {
          assert.ok(error instanceof NamespaceFlagError);
          assert.equal(error.message, message);
          return true;
        },
      );
    });
  }
});

it("the problems of the flags are named all at once, each value by itself", () => {
  const problems = namespaceScopeProblems({
    namespace: ["A", "b", ""],
    "excluded-namespace": ["C"],
  });
  assert.deepEqual(
    problems.map((problem) => problem.split(":")[0]),
    ['--namespace="A"', '--namespace=""', '--excluded-namespace="C"'],
  );
  assert.deepEqual(namespaceScopeProblems({ namespace: ["a"] }), []);
  const both = namespaceScopeProblems({ namespace: ["a"], "excluded-namespace": ["b"] });
  assert.match(both.join(), /exclude each other/);
});
