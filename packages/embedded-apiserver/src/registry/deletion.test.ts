import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DeleteOptions } from "@rookery/apiserver";
import type { KubeObject, ObjectMeta } from "@rookery/kube";
import { decideDeletion, shouldDeleteDuringUpdate } from "./deletion.ts";
import type { StorageRules } from "./storage-options.ts";

const now = new Date("2026-01-01T00:00:00Z");
const [later, earlier, soon] = [
  "2026-01-01T00:00:30Z",
  "2025-12-31T23:59:00Z",
  "2026-01-01T00:00:05Z",
];
const graceful: StorageRules = { gracePeriodSeconds: (_, asked) => asked ?? 30 };

function object(metadata: ObjectMeta): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a", ...metadata } };
}

interface Row {
  readonly metadata?: ObjectMeta;
  readonly options?: Partial<DeleteOptions>;
  readonly rules?: StorageRules;
  readonly kind: ReturnType<typeof decideDeletion>["kind"];
  /** What is different about the metadata of a marked one. */
  readonly marked?: ObjectMeta;
}

const rows: Record<string, Row> = {
  "what nothing holds goes": { kind: "remove" },
  "what a finalizer holds is marked, and its generation grows": {
    metadata: { finalizers: ["a/b"], generation: 3 },
    kind: "mark",
    marked: {
      finalizers: ["a/b"],
      generation: 4,
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "a generation that is not kept does not begin": {
    metadata: { finalizers: ["a/b"] },
    kind: "mark",
    marked: {
      finalizers: ["a/b"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "what was marked before keeps its time and generation": {
    metadata: {
      finalizers: ["a/b"],
      generation: 3,
      deletionTimestamp: earlier,
      deletionGracePeriodSeconds: 0,
    },
    kind: "mark",
    marked: {
      finalizers: ["a/b"],
      generation: 3,
      deletionTimestamp: earlier,
      deletionGracePeriodSeconds: 0,
    },
  },
  "in the foreground, the collector's finalizer is added": {
    options: { propagationPolicy: "Foreground" },
    kind: "mark",
    marked: {
      finalizers: ["foregroundDeletion"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "to orphan, the collector's finalizer is added": {
    options: { orphanDependents: true },
    kind: "mark",
    marked: {
      finalizers: ["orphan"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "in the background, the collector's finalizers are taken off": {
    metadata: { finalizers: ["orphan"] },
    options: { propagationPolicy: "Background" },
    kind: "remove",
  },
  "a policy takes the place of another one, after finalizers of others": {
    metadata: { finalizers: ["foregroundDeletion", "a/b"] },
    options: { propagationPolicy: "Orphan" },
    kind: "mark",
    marked: {
      finalizers: ["a/b", "orphan"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "a finalizer that is there counts where the client says nothing": {
    metadata: { finalizers: ["orphan"] },
    rules: { defaultPropagation: "Background" },
    kind: "mark",
    marked: {
      finalizers: ["orphan"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "a kind may orphan where nobody says anything": {
    rules: { defaultPropagation: "Orphan" },
    kind: "mark",
    marked: {
      finalizers: ["orphan"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    },
  },
  "what is given time is marked with its end": {
    metadata: { generation: 1 },
    rules: graceful,
    kind: "mark",
    marked: { generation: 2, deletionTimestamp: later, deletionGracePeriodSeconds: 30 },
  },
  "what is given no time is marked and goes": {
    rules: graceful,
    options: { gracePeriodSeconds: 0 },
    kind: "mark-and-remove",
    marked: { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
  },
  "a negative time is one second": {
    rules: graceful,
    options: { gracePeriodSeconds: -5 },
    kind: "mark",
    marked: { deletionTimestamp: "2026-01-01T00:00:01Z", deletionGracePeriodSeconds: 1 },
  },
  "what is going goes on": {
    metadata: { deletionTimestamp: later, deletionGracePeriodSeconds: 30 },
    rules: graceful,
    kind: "pending",
  },
  "time that was given does not become more": {
    metadata: { deletionTimestamp: later, deletionGracePeriodSeconds: 30 },
    rules: graceful,
    options: { gracePeriodSeconds: 40 },
    kind: "pending",
  },
  "time that was given may become less": {
    metadata: { deletionTimestamp: later, deletionGracePeriodSeconds: 30 },
    rules: graceful,
    options: { gracePeriodSeconds: 5 },
    kind: "mark",
    marked: { deletionTimestamp: soon, deletionGracePeriodSeconds: 5 },
  },
  "time that has passed leaves one second": {
    metadata: { deletionTimestamp: earlier, deletionGracePeriodSeconds: 30 },
    rules: graceful,
    options: { gracePeriodSeconds: 5 },
    kind: "mark",
    marked: { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 1 },
  },
  "what has no time left goes at once": {
    metadata: { deletionTimestamp: earlier, deletionGracePeriodSeconds: 0 },
    rules: graceful,
    kind: "remove",
  },
};

describe("what a deletion comes to", () => {
  for (const [sentence, row] of Object.entries(rows)) {
    it(sentence, () => {
      const { metadata = {}, options = {}, rules = {} } = row;
      const decided = decideDeletion(object(metadata), { dryRun: [], ...options }, { rules, now });
      assert.equal(decided.kind, row.kind);
      if (!("object" in decided)) return;
      const { finalizers = [], ...rest } = decided.object.metadata;
      const found = { ...rest, ...(finalizers.length > 0 && { finalizers }) };
      assert.deepEqual(found, { name: "a", ...row.marked });
    });
  }
});

describe("a change that lets an object go", () => {
  const going = { deletionTimestamp: earlier, deletionGracePeriodSeconds: 0 };
  const cases: Record<string, [metadata: ObjectMeta, old: ObjectMeta, gone: boolean]> = {
    "takes off the last finalizer": [going, { ...going, finalizers: ["a/b"] }, true],
    "does not while a finalizer stays": [
      { ...going, finalizers: ["a/b"] },
      { ...going, finalizers: ["a/b", "c/d"] },
      false,
    ],
    "does not while nobody deletes it": [{}, { finalizers: ["a/b"] }, false],
    "does not while it has time": [
      { ...going, deletionGracePeriodSeconds: 30 },
      { ...going, deletionGracePeriodSeconds: 30 },
      false,
    ],
  };
  for (const [sentence, [metadata, old, gone]] of Object.entries(cases)) {
    it(sentence, () => {
      assert.equal(shouldDeleteDuringUpdate(object(metadata), object(old), {}), gone);
    });
  }

  it("waits for what the kind says", () => {
    const rules = { isFinalized: () => false };
    assert.equal(shouldDeleteDuringUpdate(object(going), object(going), rules), false);
  });
});
