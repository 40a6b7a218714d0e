import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { Entry } from "./entry.ts";
import { DelayHeap } from "./waiting-room.ts";

it("a heap gives its entries in the order of their times, whichever were removed before", () => {
  const row = fc.record({ readyAt: fc.nat({ max: 1000 }), removed: fc.boolean() });
  const times = fc.array(row, { maxLength: 100, size: "max" });
  fc.assert(
    fc.property(times, (rows) => {
      const heap = new DelayHeap<number>();
      const entries = rows.map(({ readyAt, removed }, index) => {
        const entry = new Entry(`${index}`, index);
        entry.readyAt = readyAt;
        heap.push(entry);
        return { entry, removed };
      });
      for (const { entry, removed } of entries) if (removed) heap.remove(entry);
      const order: Entry<number>[] = [];
      for (let first = heap.peek(); first; first = heap.peek()) {
        heap.remove(first);
        order.push(first);
      }
      const left = entries.filter(({ removed }) => !removed).map(({ entry }) => entry);
      assert.deepEqual(
        order.map(({ item }) => item),
        left.toSorted((a, b) => a.readyAt - b.readyAt || a.item - b.item).map(({ item }) => item),
      );
    }),
  );
});
