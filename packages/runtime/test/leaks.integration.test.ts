import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { after, before, describe, test } from "node:test";
import {
  createController,
  createInformerSource,
  createProvider,
  done,
  enqueueRequestForObject,
  parseProviderFlags,
  silentLogger,
  validatingWebhook,
} from "@rookery/runtime";
import {
  freePort,
  type Kubernetes,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { Relay } from "./relay.ts";
import { RunningInformer } from "./running-informer.ts";

/** Everything that a provider can have at once. */
const args = [
  "--leader-elect",
  "--health-addr=127.0.0.1:0",
  "--metrics-bind-address=127.0.0.1:0",
  "--profiler-address=127.0.0.1:0",
];

describe("what is left of a provider that has stopped", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    await kubernetes.applyCrd(nestsCrd);
    namespace = await kubernetes.createNamespace("leaks");
    process.env.POD_NAMESPACE = namespace.name;
  });
  after(() => kubernetes?.[Symbol.asyncDispose]());

  const create = (name: string) =>
    kubernetes.request("POST", `/apis/${nests.group}/v1/namespaces/${namespace.name}/nests`, {
      body: nest({ namespace: namespace.name, name }),
    });

  /** Starts all of it, lets it work, and stops it. */
  async function live(name: string): Promise<void> {
    const particular = [
      `--kubeconfig=${kubernetes.kubeconfig}`,
      `--webhook-port=${await freePort()}`,
    ];
    const flags = parseProviderFlags([...particular, ...args], {});
    assert.ok(!flags.help);
    const provider = await createProvider({ name: "leaks", flags, logger: silentLogger });
    const informer = provider.cache.informerFor<Nest>(nests);
    const sources = [createInformerSource({ informer, handler: enqueueRequestForObject() })];
    const reconciled = Promise.withResolvers<void>();
    provider.manager.add(
      createController({
        name: "nest",
        sources,
        reconcile: (request) => {
          if (request.name === name) reconciled.resolve();
          return done;
        },
      }),
    );
    provider
      .addWebhooks({ service: "none", publish: async () => {} })
      ?.register(validatingWebhook<Nest>(nests, {}));
    const stop = new AbortController();
    const running = provider.run(stop.signal);
    await create(name);
    await Promise.race([reconciled.promise, running]);
    provider.recorder.event(nest({ namespace: namespace.name, name }), {
      type: "Normal",
      reason: "Seen",
      note: "it was seen",
    });
    stop.abort();
    await running;
    assert.deepEqual(getEventListeners(stop.signal, "abort"), []);
  }

  test("is no socket, timer, server or watcher of files, however often it ran", async () => {
    await live("first");
    const left = await settledResources();
    for (const name of ["second", "third", "fourth"]) {
      await live(name);
      await noMoreThan(left);
    }
  });

  test("is nothing of an informer that broke and came back many times", async () => {
    await using relay = await Relay.start(kubernetes.server);
    const options = { server: relay.url, clock: impatient, random: () => 0 };
    await using running = await RunningInformer.start(kubernetes, options);
    const breakOnce = async () => {
      const before = running.attempts.length;
      relay.cut();
      await waitFor(() => running.attempts.length > before, { what: "another watch" });
      await waitFor(() => running.tap.openBodies === 1, { what: "its answer" });
    };
    await breakOnce();
    const left = await settledResources();
    for (let time = 0; time < 10; time++) await breakOnce();
    await noMoreThan(left);
  });
});

/** Twenty times faster, so that a back-off takes little time. */
const impatient = {
  now: () => performance.now() * 20,
  setTimer(callback: () => void, milliseconds: number) {
    const timer = setTimeout(callback, milliseconds / 20);
    return { stop: () => clearTimeout(timer) };
  },
};

/** How many of each kind keep this process busy, such as TCPSocketWrap or Timeout. */
type Resources = ReadonlyMap<string, number>;

function resources(): Resources {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Waits until there is no more than was left before. */
async function noMoreThan(left: Resources): Promise<void> {
  const more = () => [...resources()].filter(([kind, count]) => count > (left.get(kind) ?? 0));
  await waitFor(() => more().length === 0, {
    what: "nothing more to be left",
    detail: () => `too many: ${more().join(" ")}`,
  });
}

/** What there is when it has been the same for a while: what is being closed is gone. */
async function settledResources(): Promise<Resources> {
  const text = () => [...resources()].toSorted().join();
  let last = "";
  let since = performance.now();
  return waitFor(
    () => {
      if (text() !== last) since = performance.now();
      last = text();
      return performance.now() - since > 1_000 ? resources() : undefined;
    },
    { what: "resources to settle" },
  );
}
