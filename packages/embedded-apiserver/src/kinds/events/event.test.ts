import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EventsEvent } from "@rookery/api";
import fc from "fast-check";
import { fromCoreEvent, toCoreEvent } from "./event.ts";

const text = fc.string({ minLength: 1 });
const time = fc.constantFrom("2026-01-01T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z");
const reference = fc.record({ kind: text, name: text }, { requiredKeys: [] });

/** As it is read: with the fields that are always there. */
const event = fc
  .record(
    {
      metadata: fc.record({ name: text, namespace: text }),
      reportingController: text,
      reportingInstance: text,
      action: text,
      reason: text,
      related: reference,
      note: text,
      type: text,
      series: fc.record({ count: fc.nat(), lastObservedTime: time }),
      deprecatedCount: fc.integer({ min: 1 }),
    },
    { requiredKeys: ["metadata"] },
  )
  .map((fields) => ({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    ...fields,
  })) as unknown as fc.Arbitrary<EventsEvent>;

describe("an event of events.k8s.io", () => {
  it("is the same after it was stored as a core one", () => {
    fc.assert(
      fc.property(event, (each) => assert.deepEqual(fromCoreEvent(toCoreEvent(each)), each)),
    );
  });

  it("has its fields under their old names in between", () => {
    const stored = toCoreEvent({
      metadata: { name: "e" },
      regarding: { kind: "Pod" },
      note: "text",
      reportingController: "c",
      deprecatedSource: { host: "h" },
    });
    assert.deepEqual(stored, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { kind: "Pod" },
      message: "text",
      source: { host: "h" },
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: "c",
      reportingInstance: "",
    });
  });
});
