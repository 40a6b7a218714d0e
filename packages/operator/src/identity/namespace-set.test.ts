import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  allBut,
  complement,
  describeSet,
  everyNamespace,
  has,
  intersection,
  isEmpty,
  minus,
  type NamespaceSet,
  noNamespaces,
  only,
  scopeOf,
  setOf,
  union,
} from "./namespace-set.ts";

const universe = ["a", "b", "c", "d", "made-later"];
const anySet: fc.Arbitrary<NamespaceSet> = fc
  .tuple(fc.boolean(), fc.subarray(["a", "b", "c", "d"]))
  .map(([isComplement, names]) => ({ isComplement, names: names.sort() }));

describe("sets of namespaces", () => {
  it("are joined, cut and turned round as their members are", () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        for (const name of universe) {
          const [inA, inB] = [has(a, name), has(b, name)];
          assert.equal(has(union(a, b), name), inA || inB);
          assert.equal(has(intersection(a, b), name), inA && inB);
          assert.equal(has(minus(a, b), name), inA && !inB);
          assert.equal(has(complement(a), name), !inA);
        }
      }),
    );
  });

  it("are empty where no namespace is in them, not even one that is made later", () => {
    fc.assert(
      fc.property(anySet, (set) => {
        assert.equal(
          isEmpty(set),
          universe.every((name) => !has(set, name)),
        );
      }),
    );
  });

  it("are told by flags, and read from them", () => {
    fc.assert(fc.property(anySet, (set) => assert.deepEqual(setOf(scopeOf(set)), set)));
  });

  const described: [NamespaceSet, string][] = [
    [noNamespaces, "no namespace"],
    [everyNamespace, "all namespaces"],
    [only(["b", "a", "b"]), "namespaces a, b"],
    [only(["a"]), "namespace a"],
    [allBut(["a", "b"]), "all namespaces but a, b"],
    [only(["a", "b", "c", "d", "e", "f", "g"]), "namespaces a, b, c, d, e and 2 more"],
  ];
  for (const [set, text] of described) {
    it(`are described: ${text}`, () => assert.equal(describeSet(set), text));
  }
});
