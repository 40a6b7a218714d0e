import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject, StoreEvent } from "@rookery/kube";
import { widgetOptions } from "../../test/registry/registry.ts";
import { encodedJson } from "../store/encoded-json.ts";
import { openStore } from "../store/open-store.ts";
import { ObjectVersions } from "./object-versions.ts";
import { WatchEvents } from "./watch-events.ts";

const key = { resource: "widgets.testing.rookery.dev", namespace: "default", name: "a" };

function widget(labels: Record<string, string>): KubeObject {
  const metadata = { namespace: "default", name: "a", labels };
  return { kind: "Widget", apiVersion: "testing.rookery.dev/v1", metadata };
}

/** Events of an object that is made, changed and deleted. */
async function lifeOfOne() {
  const store = await openStore({ folder: "" });
  const told: StoreEvent[] = [];
  store.watch(key.resource, store.revision, (event) => told.push(event));
  const made = await store.write({ ...key, expected: 0, object: widget({ in: "yes" }) });
  const changed = await store.write({ ...key, expected: made.revision, object: widget({}) });
  await store.write({ ...key, expected: changed.revision, object: undefined });
  const options = widgetOptions({ store, now: () => new Date(0) });
  return { events: new WatchEvents(options, new ObjectVersions(options)), told };
}

const isIn = ({ metadata }: KubeObject) => metadata.labels?.in === "yes";

describe("an event of a store", () => {
  it("is one thing for all who watch, so that it is encoded once", async () => {
    const { events, told } = await lifeOfOne();
    for (const event of told) {
      const first = await events.of(event, undefined);
      assert.ok(first);
      assert.equal(await events.of(event, undefined), first);
      assert.equal(encodedJson(first), encodedJson(first));
      const { type, object } = first;
      assert.deepEqual(JSON.parse(String(encodedJson(first))), { type, object });
    }
  });

  it("is not what it is to those who see other objects", async () => {
    const { events, told } = await lifeOfOne();
    const types = async (matches?: typeof isIn) =>
      Promise.all(told.map(async (event) => (await events.of(event, matches))?.type));
    assert.deepEqual(await types(), ["ADDED", "MODIFIED", "DELETED"]);
    assert.deepEqual(await types(isIn), ["ADDED", "DELETED", undefined]);
    const [, change] = told;
    assert.ok(change);
    const left = await events.of(change, isIn);
    assert.deepEqual(left?.object.metadata, {
      ...widget({ in: "yes" }).metadata,
      resourceVersion: String(change.revision),
    });
  });
});
