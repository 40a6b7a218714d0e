import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProtobufRenamer, createProtobufWatchRenamer } from "@rookery/group-suffix";
import { keptObjects, mapping } from "./protobuf-objects.ts";

const objects = keptObjects();
const renamer = createProtobufRenamer({ mapping });
const watchRenamer = createProtobufWatchRenamer({ mapping });

describe("an object of every kind, as Go encodes it", () => {
  it("is there for every group of Kubernetes", () => {
    const groups = new Set(objects.map(({ name }) => name.split(" ")[0]));
    assert.ok(objects.length > 300 && groups.size > 50, `${objects.length}, ${groups.size}`);
  });

  for (const { name, protobuf, renamedProtobuf } of objects) {
    const { rename } = name === "watch" ? watchRenamer : renamer;

    it(`${name} becomes what Kubernetes' own types make of it, and comes back`, () => {
      const renamed = rename(protobuf, undefined);
      assert.deepEqual(Buffer.from(renamed), Buffer.from(renamedProtobuf));
      assert.deepEqual(Buffer.from(rename(renamed, undefined)), Buffer.from(protobuf));
      assert.equal(renamed === protobuf, Buffer.from(protobuf).equals(renamedProtobuf));
    });
  }
});
