import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { configMap, envelope, mapping, real, virtual } from "../../test/protobuf/object.ts";
import { UnreadableBodyError } from "../errors.ts";
import { hideInGroupListProtobuf } from "./hide-in-protobuf.ts";

type Groups = (...groups: string[]) => Uint8Array;

const legacy: Groups = (...groups) =>
  envelope("v1", "APIGroupList", (list) => {
    for (const group of groups) list.message(1, (entry) => entry.string(1, group));
    list.string(9, "later");
  });

const aggregated: Groups = (...groups) =>
  envelope("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList", (list) => {
    list.message(1, (meta) => meta.string(2, "1"));
    for (const group of groups) {
      list.message(2, (entry) => entry.message(1, (meta) => meta.string(1, group)));
    }
  });

for (const [what, groups] of Object.entries({ legacy, aggregated })) {
  describe(`the ${what} list of groups`, () => {
    it("loses those that nobody can ask for", () => {
      const hidden = hideInGroupListProtobuf(
        groups("apps", virtual, real, "batch", real),
        mapping.isReal,
      );
      assert.deepEqual(Buffer.from(hidden), Buffer.from(groups("apps", virtual, "batch")));
    });

    it("is the very same array where it has none of them", () => {
      const body = groups("apps", virtual);
      assert.equal(hideInGroupListProtobuf(body, mapping.isReal), body);
    });
  });
}

it("an object that is no list of groups is left alone", () => {
  const body = configMap(`${real}/v1`);
  assert.equal(hideInGroupListProtobuf(body, mapping.isReal), body);
});

it("a list that is cut off is refused", () => {
  const body = legacy("apps", real);
  assert.throws(
    () => hideInGroupListProtobuf(body.subarray(0, 40), mapping.isReal),
    UnreadableBodyError,
  );
});
