import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint, EndpointSlice } from "@rookery/api";
import { sliceLabels } from "./desired-endpoints.ts";
import { maxEndpointsPerSlice, planSlices } from "./plan-slices.ts";

const service = {
  metadata: { name: "web", namespace: "ns", uid: "u" },
  spec: { clusterIP: "1.2.3.4" },
};
const ports = [{ name: "", port: 80, protocol: "TCP" }];

const endpoint = (n: number): Endpoint => ({
  addresses: [`10.0.${Math.floor(n / 250)}.${n % 250}`],
  conditions: { ready: true, serving: true, terminating: false },
  targetRef: { kind: "Pod", name: `p${n}`, namespace: "ns", uid: `u${n}` },
});
const endpoints = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => endpoint(from + index));

function slice(name: string, list: readonly Endpoint[]): EndpointSlice {
  const owner = { apiVersion: "v1", kind: "Service", name: "web", uid: "u" };
  return {
    metadata: {
      name,
      labels: sliceLabels(service),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    addressType: "IPv4",
    endpoints: [...list],
    ports,
  };
}

function plan(existing: readonly EndpointSlice[], wanted: readonly Endpoint[]) {
  const desired = wanted.length === 0 ? [] : [{ ports, endpoints: wanted }];
  const made = planSlices({ service, addressType: "IPv4", existing, desired });
  const count = ({ endpoints: list }: EndpointSlice) => (list ?? []).length;
  return {
    create: made.create.map(count),
    update: made.update.map((each) => [each.metadata?.name, count(each)]),
    delete: made.delete.map((each) => each.metadata?.name),
  };
}

const nothing = { create: [], update: [], delete: [] };
const full = maxEndpointsPerSlice;

test("slices hold a hundred endpoints each", () => {
  assert.deepEqual(plan([], endpoints(0, 2 * full + 1)), { ...nothing, create: [full, full, 1] });
});

test("nothing is written where all is as it should be", () => {
  assert.deepEqual(plan([slice("a", endpoints(0, 3))], endpoints(0, 3)), nothing);
});

test("a slice that changes anyway takes what is new", () => {
  const existing = [slice("a", endpoints(0, 5)), slice("b", endpoints(5, 9))];
  const wanted = [...endpoints(1, 9), ...endpoints(20, 25)];
  assert.deepEqual(plan(existing, wanted), { ...nothing, update: [["a", 9]] });
});

test("what is new goes into the fullest slice with room for all of it", () => {
  const existing = [slice("a", endpoints(0, 10)), slice("b", endpoints(10, 10 + full - 5))];
  const wanted = [...endpoints(0, 10 + full - 5), ...endpoints(500, 505)];
  assert.deepEqual(plan(existing, wanted), { ...nothing, update: [["b", full]] });
});

test("a slice that is emptied goes where others remain", () => {
  const existing = [slice("a", endpoints(0, 3)), slice("b", endpoints(3, 6))];
  assert.deepEqual(plan(existing, endpoints(3, 6)), { ...nothing, delete: ["a"] });
});

test("the last slice stays, empty", () => {
  const existing = [slice("a", endpoints(0, 3))];
  assert.deepEqual(plan(existing, []), { ...nothing, update: [["a", 0]] });
  const { ports: _, ...empty } = slice("a", []);
  assert.deepEqual(plan([{ ...empty, ports: [] }], []), nothing);
});

test("slices of an earlier Service of the same name are not used", () => {
  const old = slice("a", endpoints(0, 3));
  const owners = [{ apiVersion: "v1", kind: "Service", name: "web", uid: "before" }];
  const foreign = { ...old, metadata: { ...old.metadata, ownerReferences: owners } };
  const expected = { create: [3], update: [], delete: ["a"] };
  assert.deepEqual(plan([foreign], endpoints(0, 3)), expected);
});

test("labels of the Service that change are put on its slices", () => {
  const old = slice("a", endpoints(0, 1));
  const stale = {
    ...old,
    metadata: { ...old.metadata, labels: { ...old.metadata?.labels, x: "y" } },
  };
  assert.deepEqual(plan([stale], endpoints(0, 1)), { ...nothing, update: [["a", 1]] });
});
