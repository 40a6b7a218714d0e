import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "../cluster-api/owners.ts";
import type { DefaultComponent } from "./default-components.ts";
import { reconcileDefaults } from "./reconcile.ts";

type Spec = NestedControlPlane["spec"];

const names = ["cp-etcd", "cp-apiserver", "cp-controller-manager"];

class World {
  readonly components = new Map<string, DefaultComponent>();
  writes = 0;
  owner: OwnerCluster | undefined = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace: "team", name: "c" },
    spec: {},
  };
  controlPlane: NestedControlPlane;

  constructor(spec: Partial<Spec> = { version: "v1.33.13" }) {
    this.controlPlane = {
      apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
      kind: "NestedControlPlane",
      metadata: { namespace: "team", name: "cp", uid: "cp-uid" },
      spec: {
        certificates: { caValidity: "1h", leafValidity: "1h", userKubeconfigValidity: "24h" },
        ...spec,
      },
    };
  }

  async reconcile(): Promise<void> {
    await reconcileDefaults(
      { namespace: "team", name: "cp" },
      {
        getControlPlane: async () => this.controlPlane,
        getOwner: async () => this.owner,
        commit: async (_, desired, options) => {
          assert.equal(options?.optimisticLock, true);
          this.writes++;
          this.controlPlane = desired;
          return desired;
        },
        createComponent: async (component) => {
          this.writes++;
          const name = component.metadata.name ?? "";
          if (!this.components.has(name)) this.components.set(name, component);
        },
        getComponent: async ({ metadata }) => this.components.get(metadata.name ?? ""),
        commitComponent: async (_, desired) => {
          this.writes++;
          this.components.set(desired.metadata.name ?? "", desired);
        },
      },
    );
  }

  versions(): (string | undefined)[] {
    return names.map((name) => this.components.get(name)?.spec?.version);
  }

  upgrade(version: string): void {
    this.controlPlane = {
      ...this.controlPlane,
      spec: { ...this.controlPlane.spec, version },
    };
  }
}

describe("a control plane with a version that names no component", () => {
  test("is given three, that it owns and names", async () => {
    const world = new World();
    await world.reconcile();
    assert.deepEqual([...world.components.keys()], names);
    assert.deepEqual(world.versions(), ["3.6.8", "v1.33.13", "v1.33.13"]);
    for (const { metadata } of world.components.values()) {
      assert.equal(metadata.ownerReferences?.[0]?.uid, "cp-uid");
      assert.equal(metadata.ownerReferences?.[0]?.controller, true);
    }
    const { etcd, apiserver, controllerManager } = world.controlPlane.spec;
    assert.deepEqual([etcd?.name, apiserver?.name, controllerManager?.name], names);
    world.writes = 0;
    await world.reconcile();
    assert.equal(world.writes, 0);
  });

  test("has the Services' addresses that its Cluster wants", async () => {
    const world = new World();
    const services = { cidrBlocks: ["10.70.0.0/16", "fd00::/108"] };
    world.owner = world.owner && { ...world.owner, spec: { clusterNetwork: { services } } };
    await world.reconcile();
    const { spec } = world.components.get("cp-apiserver") ?? {};
    assert.deepEqual(spec, { version: "v1.33.13", serviceCidr: "10.70.0.0/16,fd00::/108" });
  });

  test("goes on after it was killed between components and references", async () => {
    const world = new World();
    const spec = world.controlPlane.spec;
    await world.reconcile();
    world.controlPlane = { ...world.controlPlane, spec };
    await world.reconcile();
    assert.equal(world.components.size, 3);
    assert.equal(world.controlPlane.spec.etcd?.name, "cp-etcd");
  });

  test("takes a later version on to them", async () => {
    const world = new World();
    await world.reconcile();
    world.upgrade("v1.34.4");
    await world.reconcile();
    assert.deepEqual(world.versions(), ["3.6.8", "v1.34.4", "v1.34.4"]);
  });

  test("leaves a version alone that somebody gave a component, until its own changes", async () => {
    const world = new World();
    await world.reconcile();
    const manager = world.components.get("cp-controller-manager");
    assert.ok(manager);
    world.components.set("cp-controller-manager", { ...manager, spec: { version: "v1.33.0" } });
    await world.reconcile();
    assert.equal(world.versions()[2], "v1.33.0");
    world.upgrade("v1.34.4");
    await world.reconcile();
    assert.equal(world.versions()[2], "v1.34.4");
  });

  test("leaves a component alone that was there before", async () => {
    const world = new World();
    const own = {
      apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
      kind: "NestedEtcd",
      metadata: { namespace: "team", name: "cp-etcd" },
      spec: { version: "3.6.7" },
    };
    world.components.set("cp-etcd", own);
    await world.reconcile();
    world.upgrade("v1.34.4");
    await world.reconcile();
    assert.equal(world.components.get("cp-etcd"), own);
  });
});

describe("nothing is made for a control plane", () => {
  const untouched: Record<string, (world: World) => void> = {
    "that has no version": (world) => {
      world.controlPlane = { ...world.controlPlane, spec: new World({}).controlPlane.spec };
    },
    "that names one component": (world) => {
      const etcd = { apiVersion: "x/v1", kind: "Foreign", name: "mine" };
      world.controlPlane = {
        ...world.controlPlane,
        spec: { ...world.controlPlane.spec, etcd },
      };
    },
    "that no Cluster owns": (world) => {
      world.owner = undefined;
    },
    "whose Cluster is paused": (world) => {
      world.owner = world.owner && { ...world.owner, spec: { paused: true } };
    },
    "that is being deleted": (world) => {
      const metadata = {
        ...world.controlPlane.metadata,
        deletionTimestamp: "2026-01-01T00:00:00Z",
      };
      world.controlPlane = { ...world.controlPlane, metadata };
    },
  };
  for (const [name, prepare] of Object.entries(untouched)) {
    test(name, async () => {
      const world = new World();
      prepare(world);
      await world.reconcile();
      assert.equal(world.writes, 0);
    });
  }
});
