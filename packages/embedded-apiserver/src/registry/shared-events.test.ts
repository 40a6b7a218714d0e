import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestRegistry } from "../../test/registry/registry.ts";
import { eventKind as coreEventKind } from "../kinds/core/event.ts";
import { eventKind } from "../kinds/events/event.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import { servedKind } from "./served-kind.ts";

const coreEvents = "/api/v1/namespaces/default/events";
const events = "/apis/events.k8s.io/v1/namespaces/default/events";
const event = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "e" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "example.com/c",
  reportingInstance: "c-1",
  action: "Act",
  reason: "Because",
  type: "Normal",
  note: "text",
  regarding: { kind: "Pod", name: "p", namespace: "default" },
};

/** Both groups of events over one store. */
function eventRegistry() {
  return createTestRegistry({
    groups: (store, clock) => {
      const context = { store, now: clock.date, decoderOf: typedDecoder };
      const core = servedKind(coreEventKind, context);
      const newer = servedKind(eventKind, context);
      return [
        { name: "", versions: [{ name: "v1", resources: [core] }] },
        { name: "events.k8s.io", versions: [{ name: "v1", resources: [newer] }] },
      ];
    },
  });
}

describe("events of both groups", () => {
  it("are the same ones, each group with fields of its own", async () => {
    await using registry = await eventRegistry();
    const { ask } = registry;
    const created = await ask(events, { body: event });
    assert.equal(created.status, 201);
    const { body: core } = await ask(`${coreEvents}/e`);
    assert.deepEqual(
      [core.apiVersion, core.message, core.involvedObject.name, core.reportingComponent],
      ["v1", "text", "p", "example.com/c"],
    );
    assert.equal(core.metadata.resourceVersion, created.body.metadata.resourceVersion);
    const { body: newer } = await ask(`${events}/e`);
    assert.deepEqual(newer, created.body);
  });

  it("are selected by the names that fields have in a group", async () => {
    await using registry = await eventRegistry();
    const { ask } = registry;
    await ask(events, { body: event });
    const found = await ask(`${events}?fieldSelector=regarding.name%3Dp`);
    assert.equal(found.body.items.length, 1);
    const other = await ask(`${coreEvents}?fieldSelector=involvedObject.name%3Dq`);
    assert.equal(other.body.items.length, 0);
    const unknown = await ask(`${events}?fieldSelector=involvedObject.name%3Dp`);
    assert.equal(unknown.body.message, "field label not supported: involvedObject.name");
  });

  it("go from both when they are deleted from one", async () => {
    await using registry = await eventRegistry();
    const { ask } = registry;
    await ask(events, { body: event });
    await ask(`${coreEvents}/e`, { method: "DELETE" });
    assert.equal((await ask(`${events}/e`)).status, 404);
  });

  it("have problems that are told of the core kind", async () => {
    await using registry = await eventRegistry();
    const { body } = await registry.ask(events, { body: { ...event, type: "Odd" } });
    assert.equal(
      body.message,
      'Event "e" is invalid: type: Invalid value: "": has invalid value: Odd',
    );
  });
});
