import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ManagedFieldsEntry } from "@rookery/kube";
import { managedFieldsPlan, withUids } from "./managed-fields.ts";

const update = { manager: "kubectl", operation: "Update" } as const;

describe("managedFieldsPlan", () => {
  const cases: Readonly<Record<string, [readonly ManagedFieldsEntry[], "create" | "patch"]>> = {
    "one client wrote it": [[update], "create"],
    "one wrote it and another its status": [
      [update, { manager: "controller", operation: "Update", subresource: "status" }],
      "create",
    ],
    "one wrote it and the move has paused it": [
      [update, { manager: "rookery-move", operation: "Update" }],
      "create",
    ],
    "two wrote it": [[update, { ...update, manager: "other" }], "patch"],
    "one applied it": [[{ manager: "topology", operation: "Apply" }], "patch"],
    "nobody is known": [[], "patch"],
  };
  for (const [name, [entries, by]] of Object.entries(cases)) {
    it(name, () => assert.equal(managedFieldsPlan(entries).by, by));
  }
});

describe("withUids", () => {
  it("names owners by their new uids, and leaves the others", () => {
    const fields = (uid: string) => ({
      "f:metadata": { "f:ownerReferences": { ".": {}, [`k:{"uid":"${uid}"}`]: {} } },
    });
    const uids = new Map([["old", "new"]]);
    const entry = (uid: string) => ({ ...update, fieldsV1: fields(uid) });
    assert.deepEqual(withUids([entry("old")], uids), [entry("new")]);
    assert.deepEqual(withUids([entry("x")], uids), [entry("x")]);
  });
});
