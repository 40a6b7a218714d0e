import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import { FakeClock, type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { adminClient, inParallel, type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { Relay } from "./relay.ts";
import { RunningInformer, type RunningInformerOptions } from "./running-informer.ts";

const points = 80;
const namespace = "default";

describe("an informer whose connection breaks", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    await kubernetes.applyCrd(nestsCrd);
    client = await adminClient(kubernetes);
    resource = client.resource(nests);
  });
  after(async () => {
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const lay = (name: string, eggs: number) =>
    resource.patch({ namespace, name }, { type: "merge", patch: { spec: { eggs } } });

  /** Thirty nests, and nothing else. */
  async function reset(): Promise<void> {
    await resource.deleteCollection({ namespace });
    await inParallel(names, (name) => resource.create(nest({ namespace, name })));
  }

  /** As many bytes as the list, so that as many cuts fall into the watch. */
  async function change(): Promise<void> {
    for (const eggs of [1, 2]) await inParallel(names.slice(0, 20), (name) => lay(name, eggs));
    for (const name of names.slice(20)) await resource.delete({ namespace, name });
    await resource.create(nest({ namespace, name: "n29" }));
  }

  async function begin(
    options: RunningInformerOptions,
    cut: Partial<Pick<Relay, "cutAfter" | "how">> = {},
  ) {
    const stack = new AsyncDisposableStack();
    const relay = stack.use(await Relay.start(kubernetes.server));
    Object.assign(relay, cut);
    const server = relay.url;
    const running = stack.use(await RunningInformer.begin(kubernetes, { ...options, server }));
    return { relay, running, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  /** How many bytes come until an informer has heard of everything, where nothing breaks. */
  async function bytesWithoutCut(options: RunningInformerOptions): Promise<number> {
    await reset();
    await using uncut = await begin(options);
    await uncut.running.informer.waitForSync();
    await change();
    await uncut.running.assertCatchesUp(resource, namespace);
    return uncut.relay.bytes;
  }

  const methods = { "all at once": "whole", "by stream": "streamed" } as const;
  for (const [how, lists] of Object.entries(methods)) {
    test(`loses nothing wherever it breaks, with lists ${how}`, async () => {
      const options = { lists, pageSize: 10, random: () => 0 };
      const bytes = await bytesWithoutCut(options);
      await reset();
      await using stack = new AsyncDisposableStack();
      // The last ones are left out: what frames the bytes is not the same in every run.
      const all = await Promise.all(
        Array.from({ length: points }, (_, index) => {
          const cutAfter = 1 + Math.floor((bytes * 0.9 * index) / points);
          return begin(options, { cutAfter, how: index % 2 === 0 ? "reset" : "end" });
        }),
      );
      for (const one of all) stack.use(one);
      await Promise.all(all.map(({ running }) => running.informer.waitForSync()));
      await change();
      for (const { running } of all) await running.assertCatchesUp(resource, namespace);
      for (const { relay, running } of all) {
        assert.equal(relay.cuts > 0, true);
        // A list, three pages and a watch, of which one is broken and asked for again.
        assert.ok(running.attempts.length <= 10, `${running.attempts.length} requests`);
      }
    });
  }

  test("notices that nothing comes any more, and hears of what happened meanwhile", async () => {
    await reset();
    const clock = new FakeClock();
    await using relay = await Relay.start(kubernetes.server);
    const server = relay.url;
    await using running = await RunningInformer.start(kubernetes, {
      server,
      clock,
      // By one connection: another, idle since the list, would be silent too, and not as old as the clock says.
      lists: "streamed",
      random: () => 0.5,
    });
    await lay("n1", 1);
    await running.assertCatchesUp(resource, namespace);
    relay.silence();
    await change();
    await clock.advance(450_000 + 29_000);
    assert.equal(running.tap.openBodies, 1, "it waits for longer than the server takes to end it");
    const requests = running.attempts.length;
    await waitFor(
      async () => {
        await clock.advance(1_000);
        return running.attempts.length > requests;
      },
      { what: "another watch" },
    );
    await running.assertCatchesUp(resource, namespace);
    assert.ok(running.attempts.length <= requests + 2);
  });
});
