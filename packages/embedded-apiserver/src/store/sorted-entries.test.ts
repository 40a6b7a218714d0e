import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SortedEntries } from "./sorted-entries.ts";
import { StoredEntry } from "./stored-entry.ts";

describe("SortedEntries", () => {
  it("holds thousands in order, whatever comes and goes", () => {
    const number = fc.nat({ max: 3000 });
    const changes = fc.array(fc.record({ number, isGone: fc.boolean() }), { maxLength: 3000 });
    const property = fc.property(fc.shuffledSubarray(numbers(3000)), changes, checkChanges);
    fc.assert(property, { numRuns: 10 });
  });
});

function checkChanges(added: number[], changes: readonly { number: number; isGone: boolean }[]) {
  const entries = new SortedEntries();
  const model = new Map<string, StoredEntry>();
  const change = (number: number, isGone: boolean) => {
    const entry = entryOf(number);
    const path = `${entry.namespace}/${entry.name}`;
    if (isGone) entries.delete(entry);
    else entries.set(entry);
    if (isGone) model.delete(path);
    else model.set(path, entry);
    assert.equal(entries.get(entry), model.get(path));
  };
  for (const number of added) change(number, false);
  for (const { number, isGone } of changes) change(number, isGone);
  const sorted = [...model.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => entry);
  assert.deepEqual(entries.all(), sorted);
  for (const namespace of ["n", "n-1", "n0", "m"]) {
    const expected = sorted.filter((entry) => entry.namespace === namespace);
    assert.deepEqual(entries.inNamespace(namespace), expected);
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function entryOf(number: number): StoredEntry {
  const namespace = ["n", "n-1", "n0"][number % 3] ?? "";
  const key = { resource: "configmaps", namespace, name: `name-${number}` };
  return new StoredEntry(key, number, new Uint8Array());
}
