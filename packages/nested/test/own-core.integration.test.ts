import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { older } from "./nested-images.ts";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";
import type { Tenant } from "./tenant.ts";

const skip = await worldUnavailable();
const extraArgs = [{ name: "endpoint-reconciler-type", value: "none" }];
const apiserver = { version: older, service: { type: "LoadBalancer" }, extraArgs };

/** The core of the embedded mode in the place of Cluster API's own. */
describe("a nested control plane, driven by our core", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let world: NestedWorld;
  let tenant: Tenant;

  before(async () => {
    world = stack.use(await NestedWorld.start({ core: "own" }));
    tenant = await world.tenant("own", "tenant");
    stack.use(await world.startManager());
  });
  after(() => stack.disposeAsync());

  it("comes up, and its cluster is available", async () => {
    const components = { apiserver, controllerManager: { version: older } };
    await tenant.create({ components, namedBy: "NestedCluster" });
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
  });

  it("goes with its cluster, and leaves nothing", async () => {
    await tenant.remove();
    assert.deepEqual(await world.inventory("own"), []);
  });
});
