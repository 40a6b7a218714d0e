import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import fc from "fast-check";
import { nextPartition, ordinalOf, type RolledPod } from "./roll-out.ts";

/** "u" is updated, "o" is outdated; upper case is healthy. */
const pods = (text: string): RolledPod[] =>
  [...text].map((letter, ordinal) => ({
    ordinal,
    isUpdated: letter.toLowerCase() === "u",
    isHealthy: letter === letter.toUpperCase(),
  }));

describe("pods are brought to the newest template", () => {
  const rows: Record<string, [pods: string, now: number, expected: number]> = {
    "all of them at last": ["UUU", 1, 0],
    "the highest first": ["OOO", 3, 2],
    "then the next": ["OOU", 2, 1],
    "but not while the one before is not healthy yet": ["OOu", 2, 2],
    "but not while another is ill": ["oOO", 3, 3],
    "one that is ill at once, whoever else is": ["oOo", 3, 2],
    "all of them where none works": ["oou", 2, 1],
    "the only one": ["O", 1, 0],
  };
  for (const [name, [text, now, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(nextPartition(pods(text), now), expected));
  }
});

test("never is a healthy pod taken away while another is not healthy", () => {
  const letter = fc.constantFrom("u", "U", "o", "O");
  const text = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(text, (given) => {
      const all = pods(given);
      // Where it is held: all that are outdated are below the partition.
      const held = all.filter(({ isUpdated }) => !isUpdated).length === 0 ? 0 : all.length;
      const partition = nextPartition(all, held);
      const taken = all.filter(({ ordinal, isUpdated }) => !isUpdated && ordinal >= partition);
      assert.ok(taken.length <= 1);
      const others = all.filter((pod) => pod !== taken[0]);
      if (taken[0]?.isHealthy) assert.ok(others.every(({ isHealthy }) => isHealthy));
    }),
  );
});

test("the ordinal is what a name ends with", () => {
  assert.equal(ordinalOf("blue-1-etcd-2"), 2);
  assert.equal(ordinalOf("data-blue-etcd-10"), 10);
  assert.equal(ordinalOf("blue-etcd"), undefined);
  assert.equal(ordinalOf(undefined), undefined);
});
