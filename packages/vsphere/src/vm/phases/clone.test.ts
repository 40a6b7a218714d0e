import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PlacementError } from "../../errors.ts";
import { childOf, parseXml } from "../../vim/xml-reader.ts";
import { snapshotFor } from "./clone.ts";

const snapshot = (id: string) => `<snapshot type="VirtualMachineSnapshot">${id}</snapshot>`;
const info = childOf(
  parseXml(`<info><currentSnapshot type="VirtualMachineSnapshot">s2</currentSnapshot>
    <rootSnapshotList>${snapshot("s1")}<name>base</name>
      <childSnapshotList>${snapshot("s2")}<name>patched</name></childSnapshotList>
    </rootSnapshotList></info>`),
  "info",
);

describe("a clone shares the disks of", () => {
  it("the current snapshot where none is named", () => {
    assert.equal(snapshotFor(info, {})?.value, "s2");
  });
  it("the snapshot that is named, wherever it is in the tree", () => {
    assert.equal(snapshotFor(info, { snapshot: "base" })?.value, "s1");
    assert.equal(snapshotFor(info, { snapshot: "patched" })?.value, "s2");
  });
  it("no snapshot where disks are to be copied, or there is none", () => {
    assert.equal(snapshotFor(info, { cloneMode: "fullClone", snapshot: "base" }), undefined);
    assert.equal(snapshotFor(undefined, { cloneMode: "linkedClone" }), undefined);
  });
  it("no other snapshot than the one that is named", () => {
    assert.throws(() => snapshotFor(info, { snapshot: "gone" }), PlacementError);
  });
});
