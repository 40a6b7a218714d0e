import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  allNamespaces,
  assertInScope,
  isInScope,
  type NamespaceScope,
  namespaceExpression,
  watchTargetsOf,
} from "./namespace-scope.ts";

const selected: NamespaceScope = { type: "namespaces", namespaces: ["a", "b"] };
const excluded: NamespaceScope = { type: "excluded", namespaces: ["a", "b"] };

describe("a namespace scope", () => {
  const inScope: [NamespaceScope, string, boolean][] = [
    [allNamespaces, "a", true],
    [selected, "a", true],
    [selected, "c", false],
    [excluded, "a", false],
    [excluded, "c", true],
    [selected, "", true],
    [excluded, "", true],
  ];
  for (const [scope, namespace, expected] of inScope) {
    const what = namespace === "" ? "what is in no namespace" : `namespace ${namespace}`;
    it(`of type ${scope.type} ${expected ? "has" : "does not have"} ${what}`, () =>
      assert.equal(isInScope(scope, namespace), expected));
  }

  const targets: Record<string, [NamespaceScope, boolean, readonly object[]]> = {
    "everything at once without a flag": [allNamespaces, true, [{}]],
    "each selected namespace for itself": [
      selected,
      true,
      [{ namespace: "a" }, { namespace: "b" }],
    ],
    "everything but what the server keeps back": [
      excluded,
      true,
      [{ fieldSelector: "metadata.namespace!=a,metadata.namespace!=b" }],
    ],
    "a cluster-scoped kind as always where namespaces are selected": [selected, false, [{}]],
    "a cluster-scoped kind without a selector where namespaces are excluded": [
      excluded,
      false,
      [{}],
    ],
  };
  for (const [what, [scope, namespaced, expected]] of Object.entries(targets)) {
    it(`watches ${what}`, () => assert.deepEqual(watchTargetsOf(scope, { namespaced }), expected));
  }

  const key = "kubernetes.io/metadata.name";
  const none: NamespaceScope = { type: "namespaces", namespaces: [] };
  const expressions: [NamespaceScope, object | undefined][] = [
    [allNamespaces, undefined],
    [selected, { key, operator: "In", values: ["a", "b"] }],
    [excluded, { key, operator: "NotIn", values: ["a", "b"] }],
    [none, { key, operator: "DoesNotExist" }],
  ];
  for (const [scope, expected] of expressions) {
    it(`is ${JSON.stringify(expected)} to a selector of namespaces: ${JSON.stringify(scope)}`, () =>
      assert.deepEqual(namespaceExpression(scope), expected));
  }

  const messages: [NamespaceScope, string, string][] = [
    [
      selected,
      "c",
      'could not read nests in namespace "c": this instance does not watch it (--namespace=a,b)',
    ],
    [
      excluded,
      "a",
      'could not read nests in namespace "a": this instance does not watch it (--excluded-namespace=a,b)',
    ],
  ];
  for (const [scope, namespace, message] of messages) {
    it(`of type ${scope.type} says which flag keeps a namespace out`, () =>
      assert.throws(() => assertInScope(scope, "nests", namespace), {
        code: "OutOfScope",
        namespace,
        message,
      }));
  }
});
