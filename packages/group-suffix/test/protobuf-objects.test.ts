import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createProtobufRenamer,
  createProtobufWatchRenamer,
  isGroupSuffixError,
} from "@rookery/group-suffix";
import fc from "fast-check";
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

describe("an object of any kind, of which some bytes are others", () => {
  it("is renamed or refused, and nothing else", () => {
    const change = fc.record({ at: fc.nat(), byte: fc.nat(255) });
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    const changed = fc.tuple(fc.nat(objects.length - 1), changes).map(([index, list]) => {
      const bytes = Buffer.from(objects[index]?.protobuf ?? []);
      for (const { at, byte } of list) bytes[at % bytes.length] = byte;
      return bytes;
    });
    fc.assert(fc.property(changed, isRenamedOrRefused), { numRuns: 3000 });
  });
});

function isRenamedOrRefused(bytes: Uint8Array): void {
  for (const { rename } of [renamer, watchRenamer]) {
    try {
      rename(bytes, undefined);
    } catch (error) {
      if (!isGroupSuffixError(error)) throw error;
    }
  }
}
