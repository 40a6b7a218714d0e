import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ClusterResourceSet, Machine } from "@rookery/api";
import { waitFor } from "@rookery/testing";
import { clusters, machines, resourceSets } from "./core-resources.ts";
import { CoreWorld } from "./core-world.ts";
import { references, referenceTo } from "./parts.ts";
import { testMachine } from "./provider-kinds.ts";
import { startWebhooks } from "./running-webhooks.ts";
import type { Scene } from "./scene.ts";

/** As an API server calls them, by the configurations of a release. */
describe("the core's webhooks", () => {
  const stack = new AsyncDisposableStack();
  let scene: Scene;

  before(async () => {
    const world = stack.use(await CoreWorld.start("none"));
    stack.use(await startWebhooks(world));
    scene = await world.scene("webhooks");
    // An API server hears of configurations in its own time.
    const isCalled = () =>
      scene.create(machines, "bare", machine({ bootstrap: {} })).then(
        () => scene.remove(machines, "bare").then(() => false),
        (error: Error) => /to be populated/.test(error.message),
      );
    await waitFor(isCalled, { what: "the webhooks to be called", timeout: 120_000 });
  });
  after(() => stack.disposeAsync());

  const machine = (spec: object) => ({
    spec: {
      clusterName: "c",
      bootstrap: { dataSecretName: "data" },
      infrastructureRef: referenceTo(testMachine, "m"),
      ...spec,
    },
  });
  const get = <T>(resource: Parameters<CoreWorld["resource"]>[0], name: string) =>
    scene.world.resource(resource).get({ namespace: scene.namespace, name }) as Promise<T>;

  it("complete a Machine, and keep it with its cluster", async () => {
    await scene.create(machines, "m", machine({ version: "1.34.4" }));
    const { metadata, spec } = await get<Machine>(machines, "m");
    assert.equal(metadata.labels?.["cluster.x-k8s.io/cluster-name"], "c");
    assert.equal(spec.version, "v1.34.4");
    assert.equal(spec.deletion?.nodeDeletionTimeoutSeconds, 10);
    await assert.rejects(
      scene.patch(machines, "m", { spec: { clusterName: "other" } }),
      /spec\.clusterName: Forbidden: field is immutable/,
    );
  });

  it("refuse a Machine that nothing bootstraps, with all that is wrong", async () => {
    await assert.rejects(
      scene.create(machines, "n", machine({ bootstrap: {}, version: "new" })),
      /spec\.bootstrap: Required value: .* to be populated.*spec\.version: Invalid value/s,
    );
  });

  it("complete a ClusterResourceSet, and let its clusters be", async () => {
    const spec = {
      clusterSelector: { matchLabels: { a: "b" } },
      resources: [{ kind: "ConfigMap", name: "a" }],
    };
    await scene.create(resourceSets, "s", { spec });
    const set = await get<ClusterResourceSet>(resourceSets, "s");
    assert.equal(set.spec.strategy, "ApplyOnce");
    await assert.rejects(
      scene.patch(resourceSets, "s", { spec: { clusterSelector: { matchLabels: { a: "c" } } } }),
      /spec\.clusterSelector: .*immutable/,
    );
  });

  it("let a Cluster pass that is right", async () => {
    await scene.create(clusters, "c", { spec: references });
  });
});
