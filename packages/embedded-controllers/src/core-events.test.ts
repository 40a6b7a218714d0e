import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { createCoreEventBroadcaster } from "@rookery/runtime";
import { startCluster } from "../test/cluster.ts";
import { namespaceOf } from "../test/scene.ts";

interface CoreEvent extends KubeObject {
  readonly message: string;
  readonly count: number;
  readonly source: { readonly component: string };
}

const namespace = "ns";
const about = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace, uid: "u1" },
};

/** Tells messages of one reason, and returns what is written in the end. */
async function tell(messages: readonly string[]): Promise<readonly CoreEvent[]> {
  await using cluster = await startCluster();
  await cluster.create(namespaceOf(namespace), builtInResources.namespaces);
  const broadcaster = createCoreEventBroadcaster(cluster.context);
  const recorder = broadcaster.recorder("deployment-controller");
  for (const note of messages) recorder.event(about, { type: "Normal", reason: "Scaled", note });
  await broadcaster.start(AbortSignal.abort());
  const { items } = await cluster.context.client
    .resource<CoreEvent>(builtInResources.events)
    .list({ namespace });
  return items;
}

test("an event that is told again is counted", async () => {
  const [event, ...others] = await tell(["up", "up", "up"]);
  assert.deepEqual(others, []);
  assert.deepEqual([event?.message, event?.count], ["up", 3]);
  assert.equal(event?.source.component, "deployment-controller");
});

test("of events that differ in too many messages the latest is shown", async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => `to ${index + 1}`);
  const events = await tell(numbers);
  assert.equal(events.length, 10);
  const combined = events.filter(({ message }) => message.startsWith("(combined"));
  assert.deepEqual(
    combined.map(({ message, count }) => [message, count]),
    [["(combined from similar events): to 12", 3]],
  );
});
