import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import { type Finding, getCondition, isFalse, isTrue } from "@rookery/kube";
import { isReadyFor, otherInstances, withVerdict } from "./verdicts.ts";

const clock = () => new Date("2026-01-01T00:00:00Z");
const identity: VSphereClusterIdentity = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "VSphereClusterIdentity",
  metadata: { name: "shared" },
  spec: { secretName: "account", allowedNamespaces: {} },
};
const ready = isTrue("Ready");
const missing = (namespace: string) =>
  isFalse("SecretNotAvailable", `there is no Secret ${namespace}/account`);
/** The identity after verdicts of some instances, one after another. */
const after = (...verdicts: readonly (readonly [string, Finding | undefined])[]) =>
  verdicts.reduce(
    (before, [namespace, finding]) => withVerdict(before, { namespace, finding }, clock),
    identity,
  );
const readyCondition = ({ status }: VSphereClusterIdentity) => {
  const { reason, message } = getCondition(status?.conditions, "Ready") ?? {};
  return [status?.ready, reason, message];
};

describe("an identity as a whole", () => {
  const table: Record<string, [VSphereClusterIdentity, readonly unknown[]]> = {
    "is as its only instance says": [
      after(["capv-system", missing("capv-system")]),
      [false, "SecretNotAvailable", "there is no Secret capv-system/account"],
    ],
    "is ready where one of its instances can use it": [
      after(["a", missing("a")], ["b", ready]),
      [true, "Ready", ""],
    ],
    "is what the first says where none can": [
      after(["b", missing("b")], ["a", missing("a")]),
      [false, "SecretNotAvailable", "there is no Secret a/account"],
    ],
    "is nobody's where no instance has a say": [
      after(["a", ready], ["a", undefined]),
      [
        false,
        "NotServed",
        "no instance of the provider watches a namespace that spec.allowedNamespaces allows",
      ],
    ],
  };
  for (const [what, [found, expected]] of Object.entries(table)) {
    it(what, () => assert.deepEqual(readyCondition(found), expected));
  }

  it("is the same in whichever order instances speak, so that none writes against another", () => {
    const one = after(["a", missing("a")], ["b", ready]);
    const two = after(["b", ready], ["a", missing("a")]);
    assert.deepEqual(one.status, two.status);
    assert.deepEqual(withVerdict(one, { namespace: "a", finding: missing("a") }, clock), one);
  });
});

describe("an instance", () => {
  const found = after(["a", missing("a")], ["b", ready]);
  it("is not ready because another one is", () => {
    assert.equal(isReadyFor(found, "a"), false);
    assert.equal(isReadyFor(found, "b"), true);
  });
  it("that has said nothing yet goes by the whole", () => {
    assert.equal(isReadyFor(found, "c"), true);
    assert.equal(isReadyFor(identity, "c"), false);
  });
  it("knows the others", () => assert.deepEqual(otherInstances(found, "a"), ["b"]));
});
