import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component } from "@rookery/components";
import {
  definedKinds,
  kindsNamed,
  ownKindsBinding,
  ownKindsRole,
  roleName,
  subjectOf,
} from "./own-kinds-role.ts";

function crd(group: string, plural: string): Component {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, names: { kind: plural, plural }, versions: [] },
  };
}

const kindsOf = (...components: readonly Component[]) => definedKinds(components);

test("a role allows the kinds of the provider's definitions and nothing else", () => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } };
  const crds = [crd("b.example", "nests"), crd("a.example", "eggs"), crd("b.example", "birds")];
  const { rules } = ownKindsRole("r", kindsOf(...crds, namespace));
  const verbs = ["create", "delete", "get", "list", "patch", "update", "watch"];
  assert.deepEqual(rules, [
    { apiGroups: ["a.example"], resources: ["eggs"], verbs },
    { apiGroups: ["b.example"], resources: ["birds", "nests"], verbs },
  ]);
});

test("a role keeps what it allowed before", () => {
  const { rules } = ownKindsRole("r", kindsOf(crd("a.example", "eggs")));
  const later = ownKindsRole("r", kindsOf(crd("a.example", "birds")), rules);
  assert.deepEqual(later.rules?.[0]?.resources, ["birds", "eggs"]);
  assert.deepEqual(ownKindsRole("r", kindsOf(crd("a.example", "eggs")), rules).rules, rules);
});

test("the names of definitions are those of their kinds", () => {
  const named = kindsNamed(["eggs.a.example", "nests.b.c.example"]);
  assert.deepEqual(named, definedKinds([crd("a.example", "eggs"), crd("b.c.example", "nests")]));
});

test("two instances of a provider have roles of their own", () => {
  const identity = { kind: "BootstrapProvider", name: "kubeadm" } as const;
  const names = ["a", "b"].map((namespace) => roleName({ namespace, identity }));
  assert.deepEqual(names, [
    "rookery-operator:a:bootstrap-kubeadm",
    "rookery-operator:b:bootstrap-kubeadm",
  ]);
});

test("a binding is for the service account that the operator runs as", () => {
  const { subjects } = ownKindsBinding(
    "r",
    subjectOf("system:serviceaccount:rookery-system:operator"),
  );
  assert.deepEqual(subjects, [
    { kind: "ServiceAccount", namespace: "rookery-system", name: "operator" },
  ]);
});

test("a binding is for a user outside of a cluster", () => {
  const apiGroup = "rbac.authorization.k8s.io";
  assert.deepEqual(subjectOf("jane"), { apiGroup, kind: "User", name: "jane" });
  assert.equal(subjectOf("system:serviceaccount:only").kind, "User");
});
