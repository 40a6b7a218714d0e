import assert from "node:assert/strict";
import { test } from "node:test";
import { type Namespace, needsNoRights, rightsFinalizer } from "./namespace-rights.ts";

type Conditions = NonNullable<NonNullable<Namespace["status"]>["conditions"]>;

const remaining = (text: string): Conditions[number] => ({
  type: "NamespaceFinalizersRemaining",
  status: "True",
  message: `Some content in the namespace has finalizers remaining: ${text}`,
});
const own = `${rightsFinalizer} in 4 resource instances`;
const vm = "vspherevm.infrastructure.cluster.x-k8s.io in 1 resource instances";
const failed: Conditions[number] = {
  type: "NamespaceDeletionContentFailure",
  status: "True",
  message: "Failed to delete all resource types, 1 remaining: conversion webhook failed",
};

const namespace = (conditions: Conditions, isGoing = true): Namespace => {
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  const metadata = { name: "team", ...(isGoing && { deletionTimestamp }) };
  return { apiVersion: "v1", kind: "Namespace", metadata, status: { conditions } };
};

const cases: Readonly<Record<string, [Namespace, needsNone: boolean]>> = {
  "rights alone are left": [namespace([remaining(own)]), true],
  "an object waits for its manager": [namespace([remaining(`${own}, ${vm}`)]), false],
  "Kubernetes has not looked yet": [namespace([]), false],
  "not all kinds could be counted": [namespace([remaining(own), failed]), false],
  "Kubernetes says it in words that nobody knows": [namespace([remaining("four rights")]), false],
  "the namespace is not being deleted at all": [namespace([], false), true],
};
for (const [sentence, [found, needsNone]] of Object.entries(cases)) {
  test(`${sentence}: rights are ${needsNone ? "let go of" : "kept"}`, () => {
    assert.equal(needsNoRights(found), needsNone);
  });
}
