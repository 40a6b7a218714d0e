import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import type { ContractReference, OwnerCluster } from "@rookery/cluster-api";
import { FakeClock } from "@rookery/testing";
import { clusterLifecycle } from "./reconcile.ts";

const apiGroup = "controlplane.cluster.x-k8s.io";
const apiVersion = `${apiGroup}/v1alpha4` as const;
const endpoint = { host: "api.example.dev", port: 6443 };

/** A NestedCluster `n` of the Cluster `c`, whose control plane is `cp`. */
class World {
  readonly clock = new FakeClock();
  given: ContractReference | undefined;
  cluster: NestedCluster = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha4",
    kind: "NestedCluster",
    metadata: { namespace: "team", name: "n", generation: 1 },
  };
  owner: OwnerCluster | undefined = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace: "team", name: "c" },
    spec: { controlPlaneRef: { apiGroup, kind: "NestedControlPlane", name: "cp" } },
  };
  controlPlane: NestedControlPlane | undefined = {
    apiVersion,
    kind: "NestedControlPlane",
    metadata: { namespace: "team", name: "cp" },
    spec: {
      certificates: { caValidity: "1h", leafValidity: "1h", userKubeconfigValidity: "24h" },
      controlPlaneEndpoint: endpoint,
    },
  };

  async reconcile(): Promise<string | undefined> {
    const key = { namespace: "team", name: "n" };
    await clusterLifecycle.reconcile(key, {
      get: async () => this.cluster,
      getOwner: async () => this.owner,
      getControlPlane: async ({ name }) => (name === "cp" ? this.controlPlane : undefined),
      commit: async (_, desired) => {
        this.cluster = desired;
        return desired;
      },
      setControlPlane: async (_, reference) => {
        this.given = reference;
      },
      clock: this.clock.date,
    });
    return this.cluster.status?.conditions?.find(({ type }) => type === "Ready")?.reason;
  }

  change(spec: Partial<NestedControlPlane["spec"]>): void {
    const { controlPlane } = this;
    if (controlPlane) {
      this.controlPlane = { ...controlPlane, spec: { ...controlPlane.spec, ...spec } };
    }
  }
}

describe("a NestedCluster", () => {
  test("takes over endpoint and readiness of its control plane, in both contracts' words", async () => {
    const world = new World();
    assert.equal(await world.reconcile(), "Ready");
    assert.deepEqual(world.cluster.spec?.controlPlaneEndpoint, endpoint);
    assert.equal(world.cluster.status?.ready, true);
    assert.equal(world.cluster.status?.initialization?.provisioned, true);
  });

  test("follows an endpoint that changes", async () => {
    const world = new World();
    await world.reconcile();
    const other = { host: "other.example.dev", port: 443 };
    world.change({ controlPlaneEndpoint: other });
    await world.reconcile();
    assert.deepEqual(world.cluster.spec?.controlPlaneEndpoint, other);
  });

  test("gives a Cluster that has none its own control plane, and follows that one", async () => {
    const world = new World();
    world.owner = world.owner && { ...world.owner, spec: {} };
    const reference = { apiVersion, kind: "NestedControlPlane", name: "cp" };
    world.cluster = { ...world.cluster, spec: { controlPlaneRef: reference } };
    assert.equal(await world.reconcile(), "Ready");
    assert.deepEqual(world.given, { apiGroup, kind: "NestedControlPlane", name: "cp" });
  });

  const waiting: Record<string, readonly [string, (world: World) => void]> = {
    "no Cluster owns it": [
      "WaitingForOwner",
      (world) => {
        world.owner = undefined;
      },
    ],
    "nobody names a control plane": [
      "ControlPlaneMissing",
      (world) => {
        world.owner = world.owner && { ...world.owner, spec: {} };
      },
    ],
    "the Cluster names a control plane of another kind": [
      "ControlPlaneMissing",
      (world) => {
        const controlPlaneRef = { apiGroup, kind: "KubeadmControlPlane", name: "cp" };
        world.owner = world.owner && { ...world.owner, spec: { controlPlaneRef } };
      },
    ],
    "the control plane is not there": [
      "WaitingForControlPlane",
      (world) => {
        world.controlPlane = undefined;
      },
    ],
    "the endpoint is not known": [
      "WaitingForEndpoint",
      (world) => world.change({ controlPlaneEndpoint: { host: "", port: 0 } }),
    ],
  };
  for (const [name, [reason, prepare]] of Object.entries(waiting)) {
    test(`is not ready where ${name}`, async () => {
      const world = new World();
      prepare(world);
      assert.equal(await world.reconcile(), reason);
      assert.equal(world.cluster.status?.ready, false);
      assert.equal(world.given, undefined);
    });
  }

  test("stays provisioned when its control plane is lost", async () => {
    const world = new World();
    await world.reconcile();
    world.controlPlane = undefined;
    await world.reconcile();
    assert.equal(world.cluster.status?.ready, false);
    assert.equal(world.cluster.status?.initialization?.provisioned, true);
  });

  test("is left alone while it is paused", async () => {
    const world = new World();
    world.owner = world.owner && { ...world.owner, spec: { ...world.owner.spec, paused: true } };
    assert.equal(await world.reconcile(), undefined);
    assert.equal(world.cluster.status?.conditions?.[0]?.reason, "Paused");
  });
});
