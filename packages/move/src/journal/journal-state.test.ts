import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { builtInResources } from "@rookery/kube";
import { type JournalState, packState, unpackState } from "./journal-state.ts";

const { secrets, namespaces } = builtInResources;
const state: JournalState = {
  phase: "Creating",
  namespace: "team",
  cluster: "a",
  startedAt: "2026-01-01T00:00:00Z",
  destination: { cluster: "uid", server: "https://127.0.0.1:6443" },
  holder: { host: "here", pid: 7 },
  paused: [],
  entries: [
    { resource: secrets, key: { namespace: "team", name: "x" }, uid: "1", group: 2, existed: true },
    {
      resource: namespaces,
      key: { name: "team" },
      uid: "2",
      group: 0,
      existed: false,
      stays: "others use it",
    },
  ],
  before: [],
  left: [{ kind: "Plain", key: { name: "y" }, why: "nobody owns it" }],
};

describe("the state of a journal", () => {
  it("is read as it was written", () => {
    assert.deepEqual(unpackState(packState(state)), state);
  });

  it("has room in one Secret for ten thousand objects", () => {
    const [entry] = state.entries;
    assert.ok(entry);
    const entries = Array.from({ length: 10_000 }, (_, index) => ({
      ...entry,
      uid: crypto.randomUUID(),
      key: { namespace: "team", name: `machine-${index}` },
    }));
    assert.ok(packState({ ...state, entries }).length < 900_000);
  });
});
