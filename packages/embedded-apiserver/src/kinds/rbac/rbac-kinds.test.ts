import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRule, RbacSubject, RoleRef } from "@rookery/api";
import type { FieldError } from "@rookery/kube";
import { clusterRoleBindingKind, roleBindingKind } from "./bindings.ts";
import { clusterRoleKind, roleKind } from "./roles.ts";

const group = "rbac.authorization.k8s.io";
const roleRef: RoleRef = { apiGroup: group, kind: "ClusterRole", name: "view" };
const textsOf = (errors: readonly FieldError[] = []) => errors.map(String);

const ruleRows: Record<string, readonly [PolicyRule, ...string[]]> = {
  "rules need verbs, groups and resources": [
    {},
    "rules[0].verbs: Required value: verbs must contain at least one value",
    "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
    "rules[0].resources: Required value: resource rules must supply at least one resource",
  ],
  "roles of namespaces have no URLs": [
    { verbs: ["get"], nonResourceURLs: ["/a"] },
    'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
  ],
  "URLs and resources do not mix": [
    { verbs: ["get"], nonResourceURLs: ["/a"], resources: ["pods"] },
    'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
    'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
};
for (const [sentence, [rule, ...problems]] of Object.entries(ruleRows)) {
  test(sentence, () => assert.deepEqual(textsOf(roleKind.validate?.({ rules: [rule] })), problems));
}

test("ClusterRoles may have URLs, and need selectors where they aggregate", () => {
  const rules = [{ verbs: ["get"], nonResourceURLs: ["/a"] }];
  assert.deepEqual(textsOf(clusterRoleKind.validate?.({ rules })), []);
  const validate = (aggregationRule: object) =>
    textsOf(clusterRoleKind.validate?.({ aggregationRule }));
  assert.deepEqual(validate({}), [
    "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
  ]);
  const bad = { matchExpressions: [{ key: "a", operator: "Like" }] };
  assert.deepEqual(validate({ clusterRoleSelectors: [bad] }), [
    'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
    "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.",
  ]);
});

const subjectRows: Record<string, readonly [RbacSubject, ...string[]]> = {
  "a subject needs a name and a kind": [
    {},
    "subjects[0].name: Required value",
    'subjects[0].kind: Unsupported value: "": supported values: "ServiceAccount", "User", "Group"',
  ],
  "an account has no group, a good name and a home": [
    { kind: "ServiceAccount", name: "A", apiGroup: group },
    `subjects[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    `subjects[0].apiGroup: Unsupported value: "${group}": supported values: ""`,
    "subjects[0].namespace: Required value",
  ],
  "a user is of the group of roles": [
    { kind: "User", name: "jane", apiGroup: "other" },
    `subjects[0].apiGroup: Unsupported value: "other": supported values: "${group}"`,
  ],
};
for (const [sentence, [subject, ...problems]] of Object.entries(subjectRows)) {
  test(sentence, () => {
    const binding = { roleRef, subjects: [subject] };
    assert.deepEqual(textsOf(clusterRoleBindingKind.validate?.(binding)), problems);
  });
}

test("a binding needs a role of a kind that it may have", () => {
  const supported = `roleRef.apiGroup: Unsupported value: "": supported values: "${group}"`;
  assert.deepEqual(textsOf(roleBindingKind.validate?.({ roleRef: { kind: "Pod" } })), [
    supported,
    'roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"',
    "roleRef.name: Required value",
  ]);
  const toRole = { roleRef: { ...roleRef, kind: "Role", name: "a/b" } };
  assert.deepEqual(textsOf(clusterRoleBindingKind.validate?.(toRole)), [
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    `roleRef.name: Invalid value: "a/b": may not contain '/'`,
  ]);
});

test("the groups of a role and its subjects are filled in", () => {
  const binding = {
    roleRef: { kind: "Role", name: "r" } as RoleRef,
    subjects: ["User", "Group", "ServiceAccount"].map((kind) => ({ kind, name: "x" })),
  };
  roleBindingKind.defaults?.(binding);
  assert.equal(binding.roleRef.apiGroup, group);
  assert.deepEqual(
    binding.subjects.map((subject: RbacSubject) => subject.apiGroup),
    [group, group, undefined],
  );
});

test("a binding keeps its role, and a change tells problems twice, as kube-apiserver does", () => {
  const changed = { roleRef: { ...roleRef, name: "edit" }, subjects: [{ kind: "User" }] };
  const unnamed = [
    "subjects[0].name: Required value",
    `subjects[0].apiGroup: Unsupported value: "": supported values: "${group}"`,
  ];
  assert.deepEqual(textsOf(roleBindingKind.validateUpdate?.(changed, { roleRef })), [
    ...unnamed,
    ...unnamed,
    `roleRef: Invalid value: {"APIGroup":"${group}","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef`,
  ]);
});
