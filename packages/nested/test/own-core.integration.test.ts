import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { itChangesMembers } from "./etcd-members.ts";
import { itSurvivesDeaths, olderComponents, shapeOf } from "./killed-managers.ts";
import { older } from "./nested-images.ts";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";
import type { Tenant } from "./tenant.ts";

/** The core of the embedded mode in the place of Cluster API's own. */
describe("nested control planes, driven by our core", { skip: await worldUnavailable() }, () => {
  const stack = new AsyncDisposableStack();
  let world: NestedWorld;
  let shape: readonly string[] = [];

  before(async () => {
    world = stack.use(await NestedWorld.start({ core: "own" }));
  });
  after(() => stack.disposeAsync());

  describe("with a manager that lives", () => {
    let managers: AsyncDisposable;
    let tenant: Tenant;

    before(async () => {
      managers = await world.startManagers();
      tenant = await world.tenant("own", "tenant");
    });
    after(() => managers?.[Symbol.asyncDispose]());

    it("come up, and their cluster is available", async () => {
      await tenant.create({ components: olderComponents, namedBy: "NestedCluster" });
      await tenant.isUp();
      const cluster = await waitFor(
        async () => {
          const found = await tenant.coreCluster();
          const available = getCondition(found.status?.conditions, "Available");
          return available?.status === "True" && found;
        },
        { what: "the cluster to be available", timeout: 300_000 },
      );
      assert.equal(cluster.status?.phase, "Provisioned");
      const { spec } = await tenant.controlPlane();
      assert.deepEqual(cluster.spec?.controlPlaneEndpoint, spec?.controlPlaneEndpoint);
      assert.match(await tenant.kubectl(["version"]), new RegExp(`Server Version: ${older}`));
      shape = shapeOf(await world.inventory("own"));
    });

    it("go with their cluster, and leave nothing", async () => {
      await tenant.remove();
      assert.deepEqual(await world.inventory("own"), []);
    });

    describe("members of etcd", () => itChangesMembers(() => world));
  });

  describe("with managers that die at each of their writes", () =>
    itSurvivesDeaths({
      world: () => world,
      undisturbed: async () => shape,
    }));
});
