import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { createEventBroadcaster, eventResource, type KubeEvent } from "@rookery/runtime";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";

describe("events on a real API server", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let namespace: TestNamespace;

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("events");
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  });

  after(async () => {
    await namespace?.[Symbol.asyncDispose]();
    await client?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  it("are written, counted, and shown by kubectl", async () => {
    const events = client.resource<KubeEvent>(eventResource);
    const broadcaster = createEventBroadcaster({ events, clock: patient });
    const recorder = broadcaster.recorder("rookery.dev/test");
    const stop = new AbortController();
    const ended = broadcaster.start(stop.signal);
    const maps = await client.kind<KubeObject>({ apiVersion: "v1", kind: "ConfigMap" });
    const object = await maps.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "nest", namespace: namespace.name },
    });
    const list = async () => (await events.list({ namespace: namespace.name })).items;
    const note = `an egg fell ${"out ".repeat(400)}`;
    recorder.event(object, { type: "Warning", reason: "EggLost", action: "Brood", note });
    await waitFor(async () => (await list()).length === 1, { what: "the event" });
    for (let i = 0; i < 4; i++) {
      recorder.event(object, { type: "Warning", reason: "EggLost", action: "Brood", note });
    }
    recorder.event(
      { apiVersion: "v1", kind: "Node", name: "rock" },
      { type: "Normal", reason: "Found", note: "a place" },
    );
    stop.abort();
    await ended;
    const [event] = await list();
    assert.equal(event?.series?.count, 5);
    assert.equal(event?.regarding.uid, object.metadata.uid);
    assert.equal(Buffer.byteLength(event?.note ?? ""), 1024);
    const args = ["get", "events", "--namespace", namespace.name];
    assert.match(await kubernetes.kubectl(args), /Warning +EggLost +configmap\/nest +an egg fell/);
    const ofNode = await events.list({
      namespace: "default",
      fieldSelector: "regarding.name=rock",
    });
    assert.equal(ofNode.items[0]?.action, "Found");
    await events.deleteCollection({ namespace: "default", fieldSelector: "regarding.name=rock" });
  });
});

/** Twelve times slower: the last events have a minute, however busy the machine is. */
const patient = {
  now: () => performance.now() / 12,
  setTimer(callback: () => void, milliseconds: number) {
    const timer = setTimeout(callback, milliseconds * 12);
    return { stop: () => clearTimeout(timer) };
  },
};
