import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import type { PlannedObject } from "../graph/move-plan.ts";
import { sourceProblems } from "./check-source.ts";

const initialized = { type: "ControlPlaneInitialized", status: "True" };
const ready = {
  initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
  conditions: [initialized],
};

function planned(kind: string, object: Partial<KubeObject>): PlannedObject {
  const group = "cluster.x-k8s.io";
  const names = { plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() };
  return {
    resource: { group, version: "v1beta2", kind, ...names, namespaced: true },
    object: {
      apiVersion: `${group}/v1beta2`,
      kind,
      ...object,
      metadata: { name: "x", namespace: "ns", ...object.metadata },
    },
    owners: [],
    group: 0,
    shared: false,
    blocked: false,
  };
}

const cases: Readonly<Record<string, [kind: string, Partial<KubeObject>, problem?: RegExp]>> = {
  "a provisioned cluster passes": ["Cluster", { status: ready }],
  "a provisioned cluster of v1beta1 passes": [
    "Cluster",
    {
      status: { infrastructureReady: true, controlPlaneReady: true, conditions: [initialized] },
    },
  ],
  "without infrastructure": ["Cluster", { status: {} }, /still provisioning its infrastructure/],
  "without the condition": [
    "Cluster",
    { status: { ...ready, conditions: [] } },
    /control plane that is not initialized/,
  ],
  "with the condition false": [
    "Cluster",
    { status: { ...ready, conditions: [{ ...initialized, status: "False" }] } },
    /control plane that is not initialized/,
  ],
  "with a control plane that is not initialized": [
    "Cluster",
    {
      spec: { controlPlaneRef: { kind: "K", name: "k" } },
      status: { ...ready, initialization: { infrastructureProvisioned: true } },
    },
    /control plane that is not initialized/,
  ],
  "a paused cluster": ["Cluster", { spec: { paused: true }, status: ready }, /is paused/],
  "a cluster paused by its annotation": [
    "Cluster",
    { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } }, status: ready },
    /is paused/,
  ],
  "a paused class": [
    "ClusterClass",
    { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } },
    /is paused/,
  ],
  "a machine without a node": ["Machine", { status: {} }, /still provisioning its node/],
  "a machine with one": ["Machine", { status: { nodeRef: { name: "n" } } }],
  "what is being deleted": [
    "MachineSet",
    { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
    /is being deleted/,
  ],
};

describe("sourceProblems", () => {
  for (const [name, [kind, object, problem]] of Object.entries(cases)) {
    it(name, () => {
      const [found] = sourceProblems([planned(kind, object)]);
      if (problem) assert.match(found ?? "", problem);
      else assert.equal(found, undefined);
    });
  }
});
