import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { RollOut } from "../manifests/deployment.ts";
import { type Revision, revisionName, revisionOf } from "./revision.ts";
import { chooseRevision } from "./roll-out.ts";

const old: Revision = { version: "v1.33.13" };
const next: Revision = { version: "v1.34.4" };
const running = (revision: Revision, rollOut: RollOut, lastGood?: Revision) => ({
  name: revisionName(revision),
  rollOut,
  lastGood,
});

describe("what is to run", () => {
  it("is what is desired where nothing runs yet", () => {
    assert.deepEqual(chooseRevision(next, undefined, undefined), {
      revision: next,
      lastGood: undefined,
      failed: undefined,
    });
  });

  it("becomes the last good one when it has become ready", () => {
    const choice = chooseRevision(next, running(next, "complete", old), undefined);
    assert.deepEqual(choice, { revision: next, lastGood: next, failed: undefined });
  });

  it("stays desired while it may still become ready", () => {
    const choice = chooseRevision(next, running(next, "progressing", old), undefined);
    assert.deepEqual(choice, { revision: next, lastGood: old, failed: undefined });
  });

  it("is the last good one again when the desired one never becomes ready", () => {
    const choice = chooseRevision(next, running(next, "stalled", old), undefined);
    assert.deepEqual(choice, { revision: old, lastGood: old, failed: revisionName(next) });
  });

  it("stays the last good one, however well that one is", () => {
    const choice = chooseRevision(next, running(old, "complete", old), revisionName(next));
    assert.deepEqual(choice, { revision: old, lastGood: old, failed: revisionName(next) });
  });

  it("is tried anew when the spec changes", () => {
    const other: Revision = { version: "v1.34.4", image: "corrected" };
    const choice = chooseRevision(other, running(old, "complete", old), revisionName(next));
    assert.deepEqual(choice, { revision: other, lastGood: old, failed: undefined });
  });

  it("is not given up where there is nothing to go back to", () => {
    const choice = chooseRevision(next, running(next, "stalled"), undefined);
    assert.deepEqual(choice, { revision: next, lastGood: undefined, failed: undefined });
  });

  it("is not given up where it has been good itself: then it is not what has failed", () => {
    const choice = chooseRevision(next, running(next, "stalled", next), undefined);
    assert.deepEqual(choice, { revision: next, lastGood: next, failed: undefined });
  });

  it("is not judged by how another revision fares", () => {
    const choice = chooseRevision(next, running(old, "stalled", old), undefined);
    assert.deepEqual(choice, { revision: next, lastGood: old, failed: undefined });
  });
});

test("a revision has a name by its content, whatever the order of its keys", () => {
  const resources = { requests: { cpu: "1", memory: "1Gi" } };
  const turned = { requests: { memory: "1Gi", cpu: "1" } };
  const a = revisionOf("apiserver", { version: "v1.34.4", resources });
  const b = revisionOf("apiserver", { resources: turned, version: "1.34.4" });
  assert.equal(revisionName(a), revisionName(b));
  const c = revisionOf("apiserver", { version: "v1.34.4", extraArgs: [{ name: "v", value: "4" }] });
  assert.notEqual(revisionName(a), revisionName(c));
});
