import assert from "node:assert/strict";
import { test } from "node:test";
import { parseComponents } from "../documents/documents.ts";
import { applierRules } from "./applier-rules.ts";

const components = parseComponents(`
{apiVersion: v1, kind: Namespace, metadata: {name: capi-system}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: nests.example.com}, spec: {}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: manager}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: manager-binding}
roleRef: {kind: ClusterRole, name: manager}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: election, namespace: capi-system}
roleRef: {kind: Role, name: leader}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: b, namespace: capi-system}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: capi-system}}
`);

const { cluster, namespaces } = applierRules(components);
const rulesOn = (resource: string, rules = cluster) =>
  rules.filter(({ resources }) => resources.includes(resource));

test("what has a name is allowed by name, and nothing by a star", () => {
  assert.deepEqual(rulesOn("deployments", namespaces["capi-system"]), [
    { apiGroups: ["apps"], resources: ["deployments"], verbs: ["create", "list", "watch"] },
    {
      apiGroups: ["apps"],
      resources: ["deployments"],
      resourceNames: ["a", "b"],
      verbs: ["get", "patch", "delete"],
    },
  ]);
  assert.doesNotMatch(JSON.stringify({ cluster, namespaces }), /\*/);
});

test("namespaced kinds are allowed in their namespace alone", () => {
  assert.deepEqual(Object.keys(namespaces), ["capi-system"]);
  assert.deepEqual(rulesOn("deployments"), []);
  assert.equal(rulesOn("namespaces").length, 2);
});

test("roles may be escalated and bound by their own names", () => {
  const verbs = rulesOn("clusterroles").map((rule) => [rule.resourceNames, rule.verbs]);
  assert.deepEqual(verbs, [
    [undefined, ["create", "list", "watch"]],
    [["manager"], ["get", "patch", "delete", "escalate"]],
    [["manager"], ["bind"]],
  ]);
  assert.deepEqual(rulesOn("roles", namespaces["capi-system"]), [
    {
      apiGroups: ["rbac.authorization.k8s.io"],
      resources: ["roles"],
      resourceNames: ["leader"],
      verbs: ["bind"],
    },
  ]);
});

test("the stored versions of CRDs may be written", () => {
  assert.deepEqual(rulesOn("customresourcedefinitions/status"), [
    {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions/status"],
      resourceNames: ["nests.example.com"],
      verbs: ["get", "patch"],
    },
  ]);
});
