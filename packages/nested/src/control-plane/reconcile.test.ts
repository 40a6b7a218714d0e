import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NestedControlPlane } from "@rookery/api";
import { forbiddenError, formatTime } from "@rookery/kube";
import { parseCertificate, splitCertificates } from "@rookery/pki";
import { ControlPlaneWorld, component } from "../../test/control-plane/control-plane.ts";
import { authorityHash } from "../pki/secret.ts";

type Spec = NestedControlPlane["spec"];

const controlPlaneFinalizer = "nestedcontrolplane.controlplane.cluster.x-k8s.io";

const withSpec = (changes: Partial<Spec>) => (controlPlane: NestedControlPlane) => ({
  ...controlPlane,
  spec: { ...controlPlane.spec, ...changes },
});
const without = (field: keyof Spec) => (controlPlane: NestedControlPlane) => {
  const { [field]: _, ...spec } = controlPlane.spec;
  return { ...controlPlane, spec: spec as Spec };
};
const deleted = (controlPlane: NestedControlPlane) => ({
  ...controlPlane,
  metadata: { ...controlPlane.metadata, deletionTimestamp: formatTime(new Date(0)) },
});

const group = "controlplane.cluster.x-k8s.io";

describe("a control plane", () => {
  test("that has all it needs is ready, in the words of both contracts", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    const { conditions, ...status } = world.status ?? {};
    assert.deepEqual(status, {
      initialized: true,
      initialization: { controlPlaneInitialized: true },
      ready: true,
      externalManagedControlPlane: true,
      version: "v1.34.4",
      apiserver: { endpoint: { host: "api.example.dev", port: 6443 } },
    });
    assert.ok(conditions?.every(({ type, status }) => type === "Paused" || status === "True"));
    assert.equal(world.condition("Ready"), "Ready");
    assert.ok(world.secrets.secrets.has("c-kubeconfig"));
  });

  test("owns its components, and gives them the name of the cluster", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    for (const { metadata } of world.components.values()) {
      assert.equal(metadata.ownerReferences?.[0]?.uid, "cp-uid");
      assert.equal(metadata.labels?.["cluster.x-k8s.io/cluster-name"], "c");
    }
  });

  test("owns a component that somebody has written to in the meantime, and keeps what they wrote", async () => {
    const world = new ControlPlaneWorld();
    const etcd = component("NestedEtcd", "etcd");
    const finalizers = ["nestedetcd.controlplane.cluster.x-k8s.io"];
    world.newer.set("etcd", { ...etcd, metadata: { ...etcd.metadata, finalizers } });
    await world.reconcile();
    const { metadata } = world.components.get("etcd") ?? etcd;
    assert.equal(metadata.ownerReferences?.[0]?.uid, "cp-uid");
    assert.deepEqual(metadata.finalizers, finalizers);
  });

  test("that could not own a component leaves nothing going on: its certificates are made once", async () => {
    const world = new ControlPlaneWorld();
    world.componentError = new Error("no answer");
    await assert.rejects(world.reconcile(), /no answer/);
    const made = [...world.secrets.secrets.keys()].toSorted();
    assert.ok(made.includes("c-apiserver-serving-cert"));
    world.componentError = undefined;
    world.secrets.writes = [];
    await world.reconcile();
    assert.deepEqual(world.secrets.writes, []);
    assert.equal(world.condition("CertificatesAvailable"), "Available");
  });

  test("in which nothing has changed reads no Secret and writes nothing", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    await world.reconcile();
    world.reads = 0;
    world.commits = 0;
    world.secrets.writes = [];
    const result = await world.reconcile();
    assert.deepEqual([world.reads, world.commits, world.secrets.writes], [0, 0, []]);
    assert.equal(result.kind, "requeueAfter");
  });

  describe("whose endpoint is not known yet", () => {
    const serving = "c-apiserver-serving-cert";
    const foreign = { apiVersion: "servers.example.dev/v1", kind: "Server", name: "apiserver" };

    test("makes the certificate that names it when it is, and only once", async () => {
      const world = new ControlPlaneWorld();
      const apiServer = component("NestedAPIServer", "apiserver");
      world.put({ ...apiServer, status: { ready: true } });
      await world.reconcile();
      assert.ok(world.secrets.secrets.has("c-etcd-serving-cert"));
      assert.ok(!world.secrets.secrets.has(serving));
      const endpoint = { host: "192.0.2.7", port: 6443 };
      world.put({ ...apiServer, status: { ready: true, endpoint } });
      await world.reconcile();
      const { ipAddresses } = parseCertificate(world.secrets.text(serving, "tls.crt"));
      assert.ok(ipAddresses.includes("192.0.2.7"));
      const times = world.secrets.writes.filter((name) => name === serving).length;
      assert.equal(times, 1);
    });

    test("makes it at once for an API server of a foreign kind, which may wait for it", async () => {
      const world = new ControlPlaneWorld();
      world.change(without("controlPlaneEndpoint"));
      world.change(withSpec({ apiserver: foreign }));
      await world.reconcile();
      assert.ok(world.secrets.secrets.has(serving));
    });
  });

  test("replaces authorities once its components say that all their pods trust the others", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    assert.equal(world.condition("AuthoritiesCurrent"), "Current");
    assert.deepEqual(Object.keys(world.expiries), ["ca", "etcd", "proxy"]);
    const bundles = () =>
      ["ca", "etcd", "proxy"].map((name) => world.secrets.text(`c-${name}`, "tls.crt"));
    const read = (names: readonly string[]) => {
      const [ca = "", etcd = "", proxy = ""] = bundles().map(authorityHash);
      for (const name of names) {
        const one = world.components.get(name);
        assert.ok(one);
        world.put({ ...one, status: { ...one.status, authorities: { ca, etcd, proxy } } });
      }
    };
    await world.clock.advance(60 * 60 * 1000);
    const rotateAfter = world.clock.date().toISOString();
    const { certificates } = world.controlPlane?.spec ?? {};
    assert.ok(certificates);
    const rotation = { renewBefore: "0s", overlap: "0s", rotateAfter };
    world.change(withSpec({ certificates: { ...certificates, rotation } }));
    const former = bundles();
    await world.reconcile();
    assert.equal(world.condition("AuthoritiesCurrent"), "Rotating");
    assert.equal(world.condition("Ready"), "Ready");
    read(["etcd", "apiserver"]);
    await world.reconcile();
    const [ca, etcd, proxy] = bundles();
    assert.ok(ca?.startsWith(former[0] ?? ""), "the controller manager has not read it yet");
    assert.ok(etcd?.endsWith(former[1] ?? "") && proxy?.endsWith(former[2] ?? ""));
    for (let steps = 0; steps < 4; steps++) {
      read(["etcd", "apiserver", "manager"]);
      await world.reconcile();
    }
    assert.equal(world.condition("AuthoritiesCurrent"), "Current");
    for (const [index, now] of bundles().entries()) {
      assert.equal(splitCertificates(now).length, 1);
      assert.notEqual(now, former[index]);
    }
  });

  test("reads its Secrets again when one of them has changed or is gone", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    world.secrets.secrets.delete("c-proxy-client-cert");
    await world.reconcile();
    assert.ok(world.secrets.secrets.has("c-proxy-client-cert"));
  });

  test("looks at bad Secrets again when they are corrected", async () => {
    const world = new ControlPlaneWorld();
    world.secrets.supply("c-ca", { "tls.crt": "x", "tls.key": "y" });
    await world.reconcile();
    assert.equal(world.condition("CertificatesAvailable"), "SecretInvalid");
    assert.equal(world.condition("Ready"), "SecretInvalid");
    assert.match(world.status?.failureMessage ?? "", /c-ca/);
    world.secrets.secrets.delete("c-ca");
    await world.reconcile();
    assert.equal(world.condition("Ready"), "Ready");
    assert.equal(world.status?.failureMessage, undefined);
  });

  const obstacles: Record<string, readonly [string, (world: ControlPlaneWorld) => void]> = {
    "a component is not there": [
      "ComponentMissing",
      ({ components }) => void components.delete("etcd"),
    ],
    "a component is named in another namespace": [
      "ComponentMissing",
      (world) =>
        world.change((controlPlane) =>
          withSpec({
            etcd: { apiVersion: "x/v1", kind: "E", name: "etcd", namespace: "other" },
          })(controlPlane),
        ),
    ],
    "a component belongs to somebody else": [
      "ComponentOwnedByOther",
      (world) => {
        const other = component("NestedEtcd", "etcd");
        const owner = { apiVersion: "v1", kind: "X", name: "x", uid: "x", controller: true };
        world.put({ ...other, metadata: { ...other.metadata, ownerReferences: [owner] } });
      },
    ],
    "a component is not named": ["ReferencesMissing", (world) => world.change(without("etcd"))],
    "there is no endpoint yet": [
      "WaitingForEndpoint",
      (world) =>
        world.put({ ...component("NestedAPIServer", "apiserver"), status: { ready: true } }),
    ],
    "the tenant does not answer": [
      "WaitingForAPIServer",
      (world) => {
        world.tenant = { isReady: false, why: "refused" };
      },
    ],
    "the tenant takes no configuration": [
      "UploadFailed",
      (world) => {
        world.uploadError = forbiddenError(
          { group: "", resource: "configmaps" },
          "kubeadm-config",
          "no",
        );
      },
    ],
    "a component has said nothing yet": [
      "ComponentsNotReady",
      (world) => world.put({ ...component("NestedEtcd", "etcd"), status: {} }),
    ],
    "a foreign component says that it is not available": [
      "ComponentsNotReady",
      (world) => {
        const lastTransitionTime = "2026-01-01T00:00:00Z";
        const rest = { reason: "R", message: "", lastTransitionTime };
        const conditions = [{ type: "Available", status: "False", ...rest } as const];
        world.put({ ...component("Foreign", "etcd"), status: { conditions } });
      },
    ],
    "a component is not ready": [
      "ComponentsNotReady",
      (world) => world.put({ ...component("NestedEtcd", "etcd"), status: { ready: false } }),
    ],
  };
  for (const [name, [reason, prepare]] of Object.entries(obstacles)) {
    test(`is not ready where ${name}`, async () => {
      const world = new ControlPlaneWorld();
      prepare(world);
      await world.reconcile();
      assert.equal(world.condition("Ready"), reason);
      assert.equal(world.status?.ready, false);
    });
  }

  test("that names nothing waits for components to be made for its version", async () => {
    const world = new ControlPlaneWorld();
    world.change(without("etcd"));
    world.change(without("apiserver"));
    world.change(without("controllerManager"));
    await world.reconcile();
    assert.equal(world.condition("Ready"), "ReferencesMissing");
    world.change(withSpec({ version: "v1.34.4" }));
    await world.reconcile();
    assert.equal(world.condition("Ready"), "WaitingForDefaults");
    assert.equal(world.status?.failureMessage, undefined);
  });

  test("without etcd and controller manager is ready beside an API server of the profile light", async () => {
    const world = new ControlPlaneWorld();
    world.change(without("etcd"));
    world.change(without("controllerManager"));
    await world.reconcile();
    assert.equal(world.condition("Ready"), "ReferencesMissing");
    const apiServer = component("NestedAPIServer", "apiserver");
    world.put({ ...apiServer, spec: { profile: "light" } });
    await world.reconcile();
    assert.equal(world.condition("Ready"), "Ready");
  });

  for (const field of ["etcd", "apiserver", "controllerManager"] as const) {
    test(`waits with a condition for ${field} where it has no version`, async () => {
      const world = new ControlPlaneWorld();
      world.change(without(field));
      await world.reconcile();
      assert.equal(world.condition("ComponentsFound"), "ReferencesMissing");
      world.change(withSpec({ version: "v1.34.4" }));
      await world.reconcile();
      assert.equal(world.condition("ComponentsFound"), "WaitingForDefaults");
    });
  }

  test("waits for a component that was created for it and deleted, and remembers the address", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    const annotations = { "nested.rookery.dev/created-components": "apiserver" };
    world.change((controlPlane) => ({
      ...controlPlane,
      metadata: { ...controlPlane.metadata, annotations },
      spec: { ...controlPlane.spec, version: "v1.34.4" },
    }));
    world.components.delete("apiserver");
    await world.reconcile();
    assert.equal(world.condition("ComponentsFound"), "WaitingForDefaults");
    assert.deepEqual(world.status?.apiserver?.endpoint, { host: "api.example.dev", port: 6443 });
    world.components.delete("etcd");
    await world.reconcile();
    const found = world.status?.conditions?.find(({ type }) => type === "ComponentsFound");
    assert.equal(found?.reason, "ComponentMissing");
    assert.match(found?.message ?? "", /NestedEtcd etcd/);
  });

  test("stays initialized when the tenant stops answering", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    world.tenant = { isReady: false, why: "gone" };
    await world.reconcile();
    assert.equal(world.status?.initialized, true);
    assert.equal(world.status?.ready, false);
    assert.equal(world.condition("Available"), "WaitingForAPIServer");
  });

  test("that served goes on doing so after a restart, until its tenant was asked", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    world.commits = 0;
    world.tenant = undefined;
    await world.reconcile();
    assert.equal(world.status?.ready, true);
    assert.equal(world.commits, 0);
  });

  test("says nothing else of a tenant before it is asked than what was known", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    const answered = world.tenant;
    const { status } = world;
    world.tenant = undefined;
    await world.reconcile();
    assert.deepEqual(world.status, status);
    world.tenant = { isReady: false, why: "gone" };
    await world.reconcile();
    assert.equal(world.condition("Ready"), "WaitingForAPIServer");
    world.tenant = undefined;
    await world.reconcile();
    assert.equal(world.condition("Ready"), "WaitingForAPIServer");
    world.tenant = answered;
    await world.reconcile();
    assert.equal(world.condition("Ready"), "Ready");
  });

  test("tells addresses and ranges that its components know", async () => {
    const world = new ControlPlaneWorld();
    const addresses = [{ hostname: "e", port: 2379 }];
    world.put({ ...component("Foreign", "etcd"), status: { addresses } });
    world.put({
      ...component("NestedAPIServer", "apiserver"),
      spec: { serviceCidr: "10.70.0.0/16" },
      status: { ...component("NestedAPIServer", "apiserver").status, version: "1.33.13" },
    });
    await world.reconcile();
    assert.deepEqual(world.status?.etcd, { addresses });
    assert.equal(world.status?.apiserver?.serviceCidr, "10.70.0.0/16");
    assert.equal(world.status?.version, "v1.33.13");
    assert.equal(world.condition("Ready"), "Ready");
  });

  test("without a Cluster waits, and while it is paused stands still", async () => {
    const world = new ControlPlaneWorld();
    const { owner } = world;
    world.owner = undefined;
    await world.reconcile();
    assert.equal(world.condition("Ready"), "WaitingForOwner");
    assert.deepEqual(world.secrets.writes, []);
    world.owner = owner && { ...owner, spec: { paused: true } };
    await world.reconcile();
    assert.equal(world.condition("Paused"), "Paused");
    assert.deepEqual(world.secrets.writes, []);
  });
});

describe("the endpoint of a control plane", () => {
  const endpointOf = (world: ControlPlaneWorld) => world.condition("EndpointAvailable");

  test("is what its API server knows, whatever its spec says", async () => {
    const world = new ControlPlaneWorld();
    world.change(withSpec({ controlPlaneEndpoint: { host: "metadata.internal", port: 80 } }));
    await world.reconcile();
    const kubeconfig = world.secrets.text("c-kubeconfig", "value");
    assert.match(kubeconfig, /server: https:\/\/api\.example\.dev:6443/);
    assert.deepEqual(world.watched, ["https://api.example.dev:6443"]);
  });

  test("is not that of an API server that belongs to another one", async () => {
    const world = new ControlPlaneWorld();
    const apiServer = component("NestedAPIServer", "apiserver");
    const other = { apiVersion: "x/v1", kind: "X", name: "x", uid: "x", controller: true };
    const metadata = { ...apiServer.metadata, ownerReferences: [other] };
    world.put({ ...apiServer, metadata });
    await world.reconcile();
    assert.equal(endpointOf(world), "WaitingForEndpoint");
    assert.deepEqual(world.watched, []);
  });

  test("of a foreign API server counts where the administrator allows its host", async () => {
    const world = new ControlPlaneWorld();
    const apiVersion = "servers.example.dev/v1";
    world.change(withSpec({ apiserver: { apiVersion, kind: "Server", name: "apiserver" } }));
    await world.reconcile();
    assert.equal(endpointOf(world), "NotAllowed");
    assert.deepEqual(world.watched, []);
    assert.ok(!world.secrets.secrets.has("c-kubeconfig"));
    world.allowedHosts.push("*.example.dev");
    await world.reconcile();
    assert.equal(endpointOf(world), "Available");
    assert.deepEqual(world.watched, ["https://api.example.dev:6443"]);
  });
});

test("a kubeconfig for a host that is no longer allowed is renewed, and leads nowhere else", async () => {
  const world = new ControlPlaneWorld();
  const apiVersion = "servers.example.dev/v1";
  const apiserver = { apiVersion, kind: "Server", name: "apiserver" };
  world.change(withSpec({ apiserver }));
  world.allowedHosts.push("*.example.dev");
  await world.reconcile();
  world.allowedHosts.length = 0;
  const before = world.secrets.text("c-kubeconfig", "value");
  await world.clock.advance(183 * 24 * 60 * 60 * 1000);
  await world.reconcile();
  assert.equal(world.condition("EndpointAvailable"), "NotAllowed");
  const renewed = world.secrets.text("c-kubeconfig", "value");
  assert.notEqual(renewed, before);
  assert.match(renewed, /server: https:\/\/api\.example\.dev:6443/);
  world.change(withSpec({ controlPlaneEndpoint: { host: "metadata.internal", port: 80 } }));
  await world.reconcile();
  assert.equal(world.secrets.text("c-kubeconfig", "value"), renewed);
  assert.equal(world.watched.length, 1);
});

describe("a component", () => {
  const rows: Record<string, object> = {
    "a Secret": { apiVersion: "v1", kind: "Secret" },
    "a Deployment": { apiVersion: "apps/v1", kind: "Deployment" },
    "a role": { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role" },
    "a Cluster": { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster" },
    "a control plane": { apiVersion: `${group}/v1alpha4`, kind: "NestedControlPlane" },
    "the API server": { apiVersion: `${group}/v1alpha4`, kind: "NestedAPIServer" },
  };
  for (const [name, kind] of Object.entries(rows)) {
    test(`cannot be ${name}, which the manager would own and delete`, async () => {
      const world = new ControlPlaneWorld();
      world.change(withSpec({ etcd: { name: "etcd", ...kind } as never }));
      await world.reconcile();
      assert.equal(world.condition("ComponentsFound"), "ComponentForbidden");
      assert.equal(world.components.get("etcd")?.metadata.ownerReferences, undefined);
    });
  }
});

describe("a control plane that is deleted", () => {
  test("takes its components down one after the other, then its Secrets", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    world.secrets.supply("c-mine", { a: "b" });
    world.change(deleted);
    for (const name of ["manager", "apiserver", "etcd"]) {
      await world.reconcile();
      assert.equal(world.deleted.at(-1), name);
      assert.equal(world.condition("Deleting"), "WaitingForComponents");
      assert.ok(world.secrets.secrets.size > 10);
      world.components.delete(name);
    }
    await world.reconcile();
    assert.deepEqual([...world.secrets.secrets.keys()], ["c-mine"]);
    assert.deepEqual(world.controlPlane?.metadata.finalizers, []);
    assert.deepEqual(world.forgotten, ["team/cp"]);
  });

  test("leaves a component alone that belongs to somebody else", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    for (const one of world.components.values()) {
      world.put({ ...one, metadata: { ...one.metadata, ownerReferences: [] } });
    }
    world.change(deleted);
    await world.reconcile();
    assert.deepEqual(world.deleted, []);
    assert.ok(!world.controlPlane?.metadata.finalizers?.includes(controlPlaneFinalizer));
  });

  test("does not delete what its spec names and no component can be", async () => {
    const world = new ControlPlaneWorld();
    await world.reconcile();
    world.change(withSpec({ etcd: { apiVersion: "v1", kind: "Secret", name: "etcd" } }));
    world.change(deleted);
    for (const name of ["manager", "apiserver"]) world.components.delete(name);
    await world.reconcile();
    assert.deepEqual(world.deleted, []);
  });

  test("is forgotten once it is gone", async () => {
    const world = new ControlPlaneWorld();
    world.controlPlane = undefined;
    await world.reconcile();
    assert.deepEqual(world.expiries, {});
    assert.deepEqual(world.forgotten, ["team/cp"]);
  });
});
