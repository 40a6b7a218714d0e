import type { Row, StoredObject } from "../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const spec = (fields: object): Row => ({ object: { spec: fields } });

export const leaseRows: Rows = {
  "an empty one": { object: {} },
  "all fields": spec({
    holderIdentity: "a",
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
    acquireTime: "2026-01-01T00:00:00.000000Z",
    renewTime: "2026-01-01T00:00:00.123456Z",
  }),
  "no duration": spec({ leaseDurationSeconds: 0 }),
  "a negative duration and negative transitions": spec({
    leaseDurationSeconds: -1,
    leaseTransitions: -1,
  }),
  "fields of coordinated leader election": spec({ strategy: "None", preferredHolder: "b" }),
  "a name with capitals": { object: { metadata: { name: "Capital" } } },
  "a change without a version": { object: {}, old: {} },
  "a change": {
    object: (stored: StoredObject) => ({ ...stored, spec: { holderIdentity: "b" } }),
    old: { spec: { holderIdentity: "a" } },
  },
  "a change for the worse": {
    object: (stored: StoredObject) => ({ ...stored, spec: { leaseDurationSeconds: -5 } }),
    old: {},
  },
};

export const priorityClassRows: Rows = {
  "a value": { object: { value: 1000 } },
  "no value": { object: {} },
  "a default that does not preempt": {
    object: { value: 5, globalDefault: true, preemptionPolicy: "Never", description: "text" },
  },
  "the highest value": { object: { value: 1000000000 } },
  "a value that is too high": { object: { value: 1000000001 } },
  "a negative value": { object: { value: -5 } },
  "a name of the system": { object: { metadata: { name: "system-mine" }, value: 1 } },
  "an empty policy": { object: { value: 1, preemptionPolicy: "" } },
  "an unknown policy": { object: { value: 1, preemptionPolicy: "Always" } },
  "a changed value and policy": {
    object: { value: 2, preemptionPolicy: "Never" },
    old: { value: 1 },
  },
  "a changed description": { object: { value: 1, description: "b" }, old: { value: 1 } },
};

const storage = (fields: object): Row => ({ object: { provisioner: "example.com/p", ...fields } });
const topology = (...terms: object[][]): Row =>
  storage({ allowedTopologies: terms.map((each) => ({ matchLabelExpressions: each })) });

export const storageClassRows: Rows = {
  "a provisioner": storage({}),
  "no provisioner": { object: {} },
  "a provisioner with a bad name": { object: { provisioner: "/not good/" } },
  "a provisioner with capitals": { object: { provisioner: "Example.com/P" } },
  "a default class": storage({
    metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  }),
  "an old default class": storage({
    metadata: { annotations: { "storageclass.beta.kubernetes.io/is-default-class": "true" } },
  }),
  "parameters and expansion": storage({
    parameters: { a: "b" },
    allowVolumeExpansion: true,
    mountOptions: ["ro"],
  }),
  "an empty parameter": storage({ parameters: { "": "b" } }),
  "too many parameters": storage({
    parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`k${i}`, "v"])),
  }),
  "parameters that are too long": storage({ parameters: { a: "x".repeat(256 * 1024) } }),
  "a policy that retains": storage({ reclaimPolicy: "Retain" }),
  "an unknown policy": storage({ reclaimPolicy: "Recycle" }),
  "a mode that waits": storage({ volumeBindingMode: "WaitForFirstConsumer" }),
  "an unknown mode": storage({ volumeBindingMode: "Later" }),
  "an empty mode": storage({ volumeBindingMode: "" }),
  "a topology": topology([{ key: "zone", values: ["a", "b"] }]),
  "a topology without values": topology([{ key: "zone", values: [] }]),
  "a topology with values twice": topology([{ key: "zone", values: ["a", "a"] }]),
  "a topology with a bad key": topology([{ key: "not good", values: ["a"] }]),
  "a topology with a key twice": topology([
    { key: "zone", values: ["a"] },
    { key: "zone", values: ["b"] },
  ]),
  "the same topology twice": topology(
    [{ key: "zone", values: ["a", "b"] }],
    [{ key: "zone", values: ["b", "a"] }],
  ),
  "an empty topology": topology([]),
  "a topology of a label that is old": topology([
    { key: "failure-domain.beta.kubernetes.io/zone", values: ["a"] },
  ]),
  "changed fields": {
    ...storage({
      provisioner: "example.com/other",
      parameters: { a: "b" },
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
    }),
    old: { provisioner: "example.com/p" },
  },
  "a changed expansion": {
    ...storage({ allowVolumeExpansion: true }),
    old: { provisioner: "example.com/p" },
  },
};

const budgetStatus = (status: object): Row => ({
  object: { spec: { minAvailable: 1 }, status },
  old: { spec: { minAvailable: 1 } },
  status: true,
});
const condition = (fields: object) => ({
  type: "A",
  status: "True",
  reason: "B",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  ...fields,
});

export const podDisruptionBudgetRows: Rows = {
  "an empty one": { object: {} },
  "a number": spec({ minAvailable: 1, selector: { matchLabels: { a: "b" } } }),
  "a percentage": spec({ maxUnavailable: "50%", selector: {} }),
  "all of them": spec({ minAvailable: "100%" }),
  "more than all": spec({ minAvailable: "101%" }),
  "a negative number": spec({ maxUnavailable: -1 }),
  "a text": spec({ maxUnavailable: "many" }),
  "both numbers": spec({ minAvailable: 1, maxUnavailable: "10%", selector: { matchLabels: {} } }),
  "a bad selector": spec({
    selector: { matchLabels: { a: "not good" }, matchExpressions: [{ key: "x", operator: "Of" }] },
  }),
  "an expression without values": spec({
    selector: { matchExpressions: [{ key: "x", operator: "In" }] },
  }),
  "a policy": spec({ unhealthyPodEvictionPolicy: "AlwaysAllow" }),
  "an unknown policy": spec({ unhealthyPodEvictionPolicy: "Never" }),
  "an empty policy": spec({ unhealthyPodEvictionPolicy: "" }),
  "the label of an old version among others": spec({
    selector: {
      matchExpressions: [
        { key: "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match", operator: "Exists" },
        { key: "a", operator: "Exists" },
      ],
    },
  }),
  "the label of an old version alone": spec({
    selector: {
      matchExpressions: [
        { key: "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match", operator: "Exists" },
      ],
    },
  }),
  "the label of an old version with another operator": spec({
    selector: {
      matchExpressions: [
        {
          key: "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match",
          operator: "DoesNotExist",
        },
      ],
    },
  }),
  "a name that is none of hosts": { object: { metadata: { name: "A_b" } } },
  "a status of its own": { object: { status: { disruptionsAllowed: 5 } } },
  "a status without a version": budgetStatus({ disruptionsAllowed: 1 }),
};

const conditionOf = (fields: object) => ({ conditions: [condition(fields)] });

const budgetStatuses: Readonly<Record<string, object>> = {
  numbers: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
  "negative numbers": {
    disruptionsAllowed: -1,
    currentHealthy: -1,
    desiredHealthy: -1,
    expectedPods: -1,
  },
  "a condition": conditionOf({}),
  "a condition twice": { conditions: [condition({}), condition({})] },
  "an unknown status": conditionOf({ status: "Maybe" }),
  "a negative generation": conditionOf({ observedGeneration: -1 }),
  "no reason": conditionOf({ reason: "" }),
  "a bad reason": conditionOf({ reason: "not good" }),
  "a bad type": conditionOf({ type: "not good" }),
};

/** Written with the version of what is there, without which nothing of a budget is. */
export const podDisruptionBudgetChangeRows: Rows = {
  ...Object.fromEntries(
    Object.entries(budgetStatuses).map(([name, status]) => [
      `a status with ${name}`,
      {
        object: (stored: StoredObject) => ({ ...stored, status }),
        old: { spec: { minAvailable: 1 } },
        status: true,
      },
    ]),
  ),
  "a changed number": {
    object: (stored: StoredObject) => ({ ...stored, spec: { minAvailable: 2 } }),
    old: { spec: { minAvailable: 1 } },
  },
  "a change to a bad number": {
    object: (stored: StoredObject) => ({ ...stored, spec: { minAvailable: -2 } }),
    old: { spec: { minAvailable: 1 } },
  },
  "labels that change with the status": {
    object: (stored: StoredObject) => ({
      ...stored,
      metadata: { ...stored.metadata, labels: { a: "b" } },
      spec: {},
    }),
    old: { spec: { minAvailable: 1 } },
    status: true,
  },
};

export const controllerRevisionRows: Rows = {
  data: { object: { data: { a: 1 }, revision: 3 } },
  "no data": { object: { revision: 1 } },
  "data that is null": { object: { data: null, revision: 1 } },
  "data that is a list": { object: { data: [1], revision: 1 } },
  "data that is a text": { object: { data: "a", revision: 1 } },
  "a negative revision": { object: { data: {}, revision: -1 } },
  "a controller": {
    object: {
      data: {},
      revision: 1,
      metadata: {
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: "u", controller: true },
        ],
      },
    },
  },
  "changed data": {
    object: { data: { a: 2 }, revision: 1 },
    old: { data: { a: 1 }, revision: 1 },
  },
  "a changed revision": {
    object: { data: { a: 1 }, revision: 2 },
    old: { data: { a: 1 }, revision: 1 },
  },
};
