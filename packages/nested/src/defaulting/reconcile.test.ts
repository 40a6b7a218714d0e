import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { deepEqual } from "@rookery/kube";
import type { DefaultComponent } from "./default-components.ts";
import { defaultingLifecycle } from "./reconcile.ts";

type Spec = NestedControlPlane["spec"];

const names = ["cp-etcd", "cp-apiserver", "cp-controller-manager"];

class World {
  readonly components = new Map<string, DefaultComponent>();
  writes = 0;
  /** The manager dies after this number of writes. */
  lastWrite = Number.POSITIVE_INFINITY;
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
    await defaultingLifecycle.reconcile(
      { namespace: "team", name: "cp" },
      {
        get: async () => this.controlPlane,
        getOwner: async () => this.owner,
        commit: async (original, desired, options) => {
          if (deepEqual(original, desired)) return original;
          const isStatus = deepEqual({ ...original, status: 0 }, { ...desired, status: 0 });
          assert.equal(options?.optimisticLock === true, !isStatus);
          this.#write();
          this.controlPlane = desired;
          return desired;
        },
        clock: () => new Date(0),
        createComponent: async (component) => {
          this.#write();
          const name = component.metadata.name ?? "";
          const there = this.components.get(name) ?? (component as DefaultComponent);
          this.components.set(name, there);
          return there;
        },
        getComponent: async (_, { name }) => this.components.get(name),
        commitComponent: async (_, desired) => {
          this.#write();
          this.components.set(desired.metadata.name ?? "", desired);
        },
      },
    );
  }

  #write(): void {
    if (this.writes >= this.lastWrite) throw new Error("killed");
    this.writes++;
  }

  /** A manager that dies after each of its writes, until one has nothing left to do. */
  async reconcileKilled(): Promise<void> {
    for (let isDone = false; !isDone; ) {
      this.writes = 0;
      this.lastWrite = 1;
      isDone = await this.reconcile().then(
        () => true,
        () => false,
      );
    }
    this.lastWrite = Number.POSITIVE_INFINITY;
  }

  set(spec: Partial<Spec>): void {
    this.controlPlane = { ...this.controlPlane, spec: { ...this.controlPlane.spec, ...spec } };
  }

  versions(): (string | undefined)[] {
    return names.map((name) => this.components.get(name)?.spec?.version);
  }

  upgrade(version: string): void {
    this.set({ version });
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

  test("takes back that its components could not be created", async () => {
    const world = new World();
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const failed = { type: "ComponentsCreated", status: "False", reason: "Forbidden" } as const;
    const conditions = [{ ...failed, message: "quota", lastTransitionTime }];
    world.controlPlane = { ...world.controlPlane, status: { conditions } };
    await world.reconcile();
    const [condition] = world.controlPlane.status?.conditions ?? [];
    assert.deepEqual([condition?.status, condition?.reason], ["True", "Created"]);
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

  test("has all of them, also where the manager dies after each of its writes", async () => {
    const world = new World();
    await world.reconcileKilled();
    assert.deepEqual([...world.components.keys()].toSorted(), names.toSorted());
    const { etcd, apiserver, controllerManager } = world.controlPlane.spec;
    assert.deepEqual([etcd?.name, apiserver?.name, controllerManager?.name], names);
    for (const name of names) {
      world.components.delete(name);
      await world.reconcileKilled();
      assert.ok(world.components.has(name), `${name} is not created anew`);
    }
  });

  for (const name of names) {
    test(`has ${name} again where somebody deletes it`, async () => {
      const world = new World();
      await world.reconcile();
      world.upgrade("v1.34.4");
      await world.reconcile();
      const former = world.components.get(name);
      world.components.delete(name);
      await world.reconcile();
      assert.deepEqual(world.components.get(name)?.spec, former?.spec);
      world.writes = 0;
      await world.reconcile();
      assert.equal(world.writes, 0);
    });
  }

  test("has a component again that a manager created that did not record it", async () => {
    const world = new World();
    await world.reconcile();
    const { annotations: _, ...metadata } = world.controlPlane.metadata;
    world.controlPlane = { ...world.controlPlane, metadata };
    await world.reconcile();
    world.components.delete("cp-etcd");
    await world.reconcile();
    assert.ok(world.components.has("cp-etcd"));
  });

  test("waits for a component that somebody named and has not created", async () => {
    const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
    const etcd = { apiVersion, kind: "NestedEtcd", name: "cp-etcd" };
    const world = new World({ version: "v1.34.4", etcd });
    await world.reconcile();
    assert.deepEqual([...world.components.keys()], ["cp-apiserver", "cp-controller-manager"]);
  });

  test("is given those that it does not name, one by one", async () => {
    for (const field of ["etcd", "apiserver", "controllerManager"] as const) {
      const mine = { apiVersion: "x/v1", kind: "Foreign", name: "mine" };
      const world = new World({ version: "v1.34.4", [field]: mine });
      await world.reconcile();
      assert.equal(world.components.size, 2);
      assert.deepEqual(world.controlPlane.spec[field], mine);
      const { etcd, apiserver, controllerManager } = world.controlPlane.spec;
      assert.ok(etcd && apiserver && controllerManager);
    }
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

describe("a control plane of the profile light", () => {
  const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";

  test("is given an API server of that profile, and nothing else", async () => {
    const world = new World({ version: "v1.34.4", profile: "light" });
    const services = { cidrBlocks: ["10.70.0.0/16", "fd00::/108"] };
    world.owner = world.owner && { ...world.owner, spec: { clusterNetwork: { services } } };
    await world.reconcileKilled();
    assert.deepEqual([...world.components.keys()], ["cp-apiserver"]);
    const spec = { version: "v1.34.4", profile: "light", serviceCidr: "10.70.0.0/16" };
    assert.deepEqual(world.components.get("cp-apiserver")?.spec, spec);
    assert.equal(world.controlPlane.spec.apiserver?.name, "cp-apiserver");
    assert.equal(world.controlPlane.spec.etcd, undefined);
    world.components.delete("cp-apiserver");
    await world.reconcile();
    assert.deepEqual(world.components.get("cp-apiserver")?.spec, spec);
  });

  test("keeps those that it was given before the profile was set", async () => {
    const world = new World();
    await world.reconcile();
    world.set({ profile: "light" });
    world.components.delete("cp-etcd");
    await world.reconcile();
    assert.ok(world.components.has("cp-etcd"));
  });

  test("is given etcd and a controller manager beside an API server of its own that is full", async () => {
    const apiserver = { apiVersion, kind: "NestedAPIServer", name: "mine" };
    const world = new World({ version: "v1.34.4", profile: "light", apiserver });
    await world.reconcile();
    assert.equal(world.components.size, 0, "nobody knows the profile yet");
    const metadata = { namespace: "team", name: "mine" };
    world.components.set("mine", { apiVersion, kind: "NestedAPIServer", metadata, spec: {} });
    await world.reconcile();
    assert.deepEqual([...world.components.keys()], ["mine", "cp-etcd", "cp-controller-manager"]);
  });

  test("is given nothing beside an API server of its own that is light", async () => {
    const apiserver = { apiVersion, kind: "NestedAPIServer", name: "mine" };
    const world = new World({ version: "v1.34.4", apiserver });
    const metadata = { namespace: "team", name: "mine" };
    const spec = { profile: "light" };
    world.components.set("mine", { apiVersion, kind: "NestedAPIServer", metadata, spec });
    await world.reconcile();
    assert.equal(world.components.size, 1);
  });
});

describe("nothing is made for a control plane", () => {
  const untouched: Record<string, (world: World) => void> = {
    "that has no version": (world) => {
      world.controlPlane = { ...world.controlPlane, spec: new World({}).controlPlane.spec };
    },
    "that names all components": (world) => {
      const mine = { apiVersion: "x/v1", kind: "Foreign", name: "mine" };
      world.set({ etcd: mine, apiserver: mine, controllerManager: mine });
    },
    "whose Cluster is being deleted": (world) => {
      const { owner } = world;
      const deletionTimestamp = "2026-01-01T00:00:00Z";
      world.owner = owner && { ...owner, metadata: { ...owner.metadata, deletionTimestamp } };
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
