import assert from "node:assert/strict";
import { test } from "node:test";
import { instance } from "../../../test/instances/family.ts";
import { has } from "../../identity/namespace-set.ts";
import { pendingNamespaces } from "./read-shards.ts";

type Member = ReturnType<typeof instance>["provider"];

function withStatus(member: Member, reason: string, namespaces?: readonly string[]): Member {
  const at = "2026-01-01T00:00:00Z";
  const ready = {
    type: "Ready",
    status: "False",
    reason,
    message: "",
    lastTransitionTime: at,
  } as const;
  const watch = namespaces && ({ by: "flag", first: false, namespaces: [...namespaces] } as const);
  return { ...member, status: { ...member.status, conditions: [ready], ...(watch && { watch }) } };
}

const pendingFor = (namespace: string, members: readonly Member[]) =>
  pendingNamespaces(members)
    .filter(({ namespaces }) => has(namespaces, namespace))
    .map(({ instance: name }) => name);

const one = instance("capi1-system", { namespaces: ["a"] }).provider;
const two = instance("capi2-system", { namespaces: ["b"] }).provider;
const rest = instance("capi2-system", { rest: true }).provider;

test("who claims a namespace and waits until others let go of it takes it", () => {
  assert.deepEqual(pendingFor("b", [one, withStatus(two, "WaitingForHandOver", [])]), [
    "capi2-system",
  ]);
  assert.deepEqual(pendingFor("b", [one, withStatus(rest, "WaitingForHandOver", [])]), [
    "capi2-system",
  ]);
});

test("who was given a namespace takes it, however its pods are", () => {
  assert.deepEqual(pendingFor("b", [one, withStatus(two, "PodsFailing", ["b"])]), ["capi2-system"]);
});

test("who claims a namespace and does not get on does not take it", () => {
  assert.deepEqual(pendingFor("b", [one, withStatus(two, "NamespaceClash", [])]), []);
  assert.deepEqual(pendingFor("b", [one, two]), []);
});

test("nobody takes what nobody claims, or who claims it goes", () => {
  const leaving = {
    ...two,
    metadata: { ...two.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
  };
  assert.deepEqual(pendingFor("c", [one, withStatus(two, "WaitingForHandOver", [])]), []);
  assert.deepEqual(pendingFor("b", [one, withStatus(leaving, "WaitingForHandOver", ["b"])]), []);
});
