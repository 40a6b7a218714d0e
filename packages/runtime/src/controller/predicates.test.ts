import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ObjectMeta } from "@rookery/kube";
import type { Event, WithMetadata } from "./event.ts";
import * as predicates from "./predicates.ts";

const metadata: ObjectMeta = { name: "a", resourceVersion: "1", generation: 1 };

function update(before: ObjectMeta, after: ObjectMeta): Event<WithMetadata> {
  return {
    type: "update",
    objectOld: { metadata: { ...metadata, ...before } },
    objectNew: { metadata: { ...metadata, ...after } },
  };
}

const others: readonly Event<WithMetadata>[] = [
  { type: "create", object: { metadata }, isInInitialList: false },
  { type: "delete", object: { metadata }, deleteStateUnknown: false },
  { type: "generic", object: { metadata } },
];

type Row = [predicate: predicates.Predicate, event: Event<WithMetadata>, passes: boolean];

const rows: Record<string, Row> = {
  "a resync has the same resourceVersion": [
    predicates.resourceVersionChanged,
    update({}, {}),
    false,
  ],
  "a change has another resourceVersion": [
    predicates.resourceVersionChanged,
    update({}, { resourceVersion: "2" }),
    true,
  ],
  "a change of the status keeps the generation": [
    predicates.generationChanged,
    update({}, { resourceVersion: "2" }),
    false,
  ],
  "a change of the spec has another generation": [
    predicates.generationChanged,
    update({}, { generation: 2 }),
    true,
  ],
  "the same labels in another order": [
    predicates.labelsChanged,
    update({ labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }),
    false,
  ],
  "no labels are as empty ones": [predicates.labelsChanged, update({}, { labels: {} }), false],
  "another label": [predicates.labelsChanged, update({}, { labels: { a: "1" } }), true],
  "another value of a label": [
    predicates.labelsChanged,
    update({ labels: { a: "1" } }, { labels: { a: "2" } }),
    true,
  ],
  "an annotation is no label": [
    predicates.labelsChanged,
    update({}, { annotations: { a: "1" } }),
    false,
  ],
  "an annotation that is gone": [
    predicates.annotationsChanged,
    update({ annotations: { a: "1" } }, {}),
    true,
  ],
  "the same annotations": [
    predicates.annotationsChanged,
    update({ annotations: { a: "1" } }, { annotations: { a: "1" } }),
    false,
  ],
  "the new object matches": [
    predicates.objectMatches(({ metadata }) => metadata.name === "b"),
    update({}, { name: "b" }),
    true,
  ],
  "the old object matches": [
    predicates.objectMatches(({ metadata }) => metadata.name === "b"),
    update({ name: "b" }, {}),
    false,
  ],
  "one of two is enough for or": [
    predicates.or(predicates.generationChanged, predicates.labelsChanged),
    update({}, { labels: { a: "1" } }),
    true,
  ],
  "none of two is not": [
    predicates.or(predicates.generationChanged, predicates.labelsChanged),
    update({}, { resourceVersion: "2" }),
    false,
  ],
  "not turns it round": [predicates.not(predicates.generationChanged), update({}, {}), true],
};

describe("predicates", () => {
  for (const [name, [predicate, event, passes]] of Object.entries(rows)) {
    it(name, () => assert.equal(predicate(event), passes));
  }

  it("about changes let everything through that is no update", () => {
    for (const event of others) {
      assert.ok(predicates.resourceVersionChanged(event));
      assert.ok(predicates.generationChanged(event));
      assert.ok(predicates.labelsChanged(event));
      assert.ok(predicates.annotationsChanged(event));
    }
  });
});
