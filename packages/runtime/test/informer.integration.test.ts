import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";
import { assertHearsOfMissedChanges } from "./missed-changes.ts";
import { adminClient, inParallel, type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { RunningInformer } from "./running-informer.ts";

describe("an informer on a real API server", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  let namespace: TestNamespace;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    await kubernetes.applyCrd(nestsCrd);
    client = await adminClient(kubernetes);
    resource = client.resource(nests);
    namespace = await kubernetes.createNamespace("nest");
  });
  after(async () => {
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  const create = (name: string, eggs = 0, labels: Record<string, string> = {}) =>
    resource.create(nest({ namespace: namespace.name, name, labels }, eggs));
  const lay = (name: string, eggs: number) =>
    resource.patch(
      { namespace: namespace.name, name },
      { type: "merge", patch: { spec: { eggs } } },
    );
  const clear = () => resource.deleteCollection({ namespace: namespace.name });

  const methods = {
    "all at once": { lists: "whole", limited: 0 },
    "by stream": { lists: "streamed", limited: 0 },
    "in pages": { lists: "paged", limited: 3 },
  } as const;
  for (const [how, { lists, limited }] of Object.entries(methods)) {
    test(`holds what is there and hears of changes, with lists ${how}`, async () => {
      await clear();
      await inParallel(
        Array.from({ length: 25 }, (_, index) => `n${index}`),
        (name) => create(name),
      );
      await using running = await RunningInformer.start(kubernetes, { lists, pageSize: 10 });
      assert.equal(running.events.events.length, 25);
      const pages = running.tap.requests.filter(({ query }) => query.includes("limit=10"));
      assert.equal(pages.length, limited);
      await lay("n1", 3);
      await resource.delete({ namespace: namespace.name, name: "n2" });
      await create("later");
      await running.assertCatchesUp(resource, namespace.name);
      const types = running.events.events.slice(25).map(({ type }) => type);
      assert.deepEqual(types, ["update", "delete", "create"]);
    });
  }

  test("has only what its label selector selects, and hears of what comes and goes by it", async () => {
    await clear();
    await create("red", 0, { colour: "red" });
    await create("blue", 0, { colour: "blue" });
    await using running = await RunningInformer.start(kubernetes, { labelSelector: "colour=red" });
    const names = () => running.informer.list().map(({ metadata }) => metadata.name);
    assert.deepEqual(names(), ["red"]);
    const patch = { metadata: { labels: { colour: "green" } } };
    await resource.patch({ namespace: namespace.name, name: "red" }, { type: "merge", patch });
    await waitFor(() => names().length === 0, { what: "the object to leave the selection" });
  });

  test("resumes where it was after its connection broke, without a list", async () => {
    await clear();
    await create("a");
    await using running = await RunningInformer.start(kubernetes);
    running.tap.cut();
    await lay("a", 1);
    await create("b");
    running.tap.mend();
    await running.assertCatchesUp(resource, namespace.name);
    const lists = running.tap.requests.filter(({ query }) => !query.includes("watch=true"));
    assert.equal(lists.length, 1);
  });

  test("goes on after the API server was killed and started again", async () => {
    await clear();
    await create("a");
    await using running = await RunningInformer.start(kubernetes);
    const began = performance.now();
    const attempts = running.attempts.length;
    await kubernetes.apiServer.stop({ kill: true });
    assert.equal(running.informer.list().length, 1);
    await kubernetes.apiServer.start();
    const seconds = (performance.now() - began) / 1000;
    const made = running.attempts.length - attempts;
    // The shortest back-off is 0.8 s.
    assert.ok(made <= 3 + seconds / 0.8, `${made} requests in ${seconds} s`);
    await lay("a", 2);
    await create("b");
    await resource.delete({ namespace: namespace.name, name: "a" });
    await running.assertCatchesUp(resource, namespace.name);
  });

  test("hears of 1,000 changes that were made while its watch was down", async () => {
    await clear();
    await assertHearsOfMissedChanges({ kubernetes, resource, namespace: namespace.name }, 1_000);
  });
});
