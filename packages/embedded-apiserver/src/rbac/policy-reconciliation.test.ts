import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { binding, role } from "../../test/rbac/rbac.ts";
import { reconcilePolicy } from "./policy-reconciliation.ts";

const getPods = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const jane = { kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" };
const joe = { ...jane, name: "joe" };

const labelled = (object: KubeObject, more: object): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...more },
});

test("what is not there is created", () => {
  const expected = role("r", [getPods]);
  assert.deepEqual(reconcilePolicy(undefined, expected), { operation: "create", object: expected });
});

test("missing rules are added, others stay", () => {
  const existing = role("r", [{ ...getPods, verbs: ["watch"] }]);
  const expected = role("r", [{ ...getPods, verbs: ["get", "watch"] }]);
  assert.deepEqual(reconcilePolicy(existing, expected), {
    operation: "update",
    object: role("r", [{ ...getPods, verbs: ["watch"] }, getPods]),
  });
  assert.deepEqual(reconcilePolicy(role("r", [{ ...getPods, verbs: ["*"] }]), expected), {
    operation: "none",
  });
});

test("rules that a controller gathered stay, whatever is expected beside the selectors", () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
  const expected = { ...role("r", []), rules: null, aggregationRule } as unknown as KubeObject;
  const gathered = { ...role("r", [getPods]), aggregationRule } as KubeObject;
  assert.deepEqual(reconcilePolicy(gathered, expected), { operation: "none" });
  assert.deepEqual(reconcilePolicy(role("r", [getPods]), expected), {
    operation: "update",
    object: gathered,
  });
});

test("labels and annotations are added, those that were changed stay", () => {
  const existing = labelled(role("r", []), { labels: { a: "mine" } });
  const expected = labelled(role("r", []), { labels: { a: "x", b: "y" }, annotations: { c: "z" } });
  const result = reconcilePolicy(existing, expected);
  assert.ok(result.operation === "update");
  assert.deepEqual(result.object.metadata, {
    name: "r",
    labels: { a: "mine", b: "y" },
    annotations: { c: "z" },
  });
});

test("who opted out is left alone", () => {
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  const existing = labelled(role("r", []), { annotations });
  assert.deepEqual(reconcilePolicy(existing, role("r", [getPods])), { operation: "none" });
});

test("missing subjects are added; another role takes a new binding", () => {
  const existing = binding("b", "ClusterRole/view", { subjects: [jane] });
  const expected = binding("b", "ClusterRole/view", { subjects: [joe] });
  assert.deepEqual(reconcilePolicy(existing, expected), {
    operation: "update",
    object: binding("b", "ClusterRole/view", { subjects: [jane, joe] }),
  });
  const other = binding("b", "ClusterRole/edit", { subjects: [joe] });
  assert.deepEqual(reconcilePolicy(existing, other), { operation: "recreate", object: other });
});
