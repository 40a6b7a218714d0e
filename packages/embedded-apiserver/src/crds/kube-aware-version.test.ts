import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareVersions } from "./kube-aware-version.ts";

const sorted = [
  ...["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2"],
  ...["foo1", "foo10"],
];

test("versions come by stability, then by age, and names that are no versions last", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(sorted), (some) => {
      const expected = sorted.filter((each) => some.includes(each));
      assert.deepEqual(some.toSorted(compareVersions), expected);
    }),
  );
});
