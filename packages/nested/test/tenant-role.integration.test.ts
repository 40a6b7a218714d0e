import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { resources } from "./tenant.ts";
import { type TenantAccount, TenantPlane } from "./tenant-plane.ts";

const image = "registry.example.com/team/etcd:3.6.8";
type Workload = KubeObject<{
  readonly replicas?: number;
  readonly template: {
    readonly spec: { readonly containers: readonly { readonly image: string }[] };
  };
}>;

describe("a tenant with the role that ships, and managers with theirs", () => {
  const stack = new AsyncDisposableStack();
  let plane: TenantPlane;
  let tenant: TenantAccount;

  before(async () => {
    plane = stack.use(await TenantPlane.start({ images: ["registry.example.com/team/*"] }));
    tenant = await plane.tenant("penguin");
  });
  after(() => stack.disposeAsync());

  it("has all that a control plane is made of, in a namespace that takes restricted pods alone", async () => {
    await tenant.make("full");
    await tenant.make("light", { apiserver: { profile: "light" } });
    await tenant.has("apps", "StatefulSet", "full-etcd");
    await tenant.has("apps", "Deployment", "full-apiserver");
    await tenant.has("apps", "Deployment", "light-apiserver");
    for (const pod of ["full-etcd", "full-apiserver", "light-apiserver"]) {
      await waitFor(
        async () =>
          (await tenant.list("", "Pod")).some(({ metadata }) => metadata.name?.startsWith(pod)),
        { what: `a pod of ${pod} to be admitted`, timeout: 60_000 },
      );
    }
  });

  it("may not do what the manager does for it", async () => {
    const { namespace } = tenant;
    const key = { namespace, name: "full-kubeconfig" };
    const secrets = builtInResources.secrets;
    assert.ok(await tenant.isForbidden((client) => client.resource(secrets).get(key)));
    assert.ok(await tenant.isForbidden((client) => client.resource(secrets).list({ namespace })));
    const kinds = [
      ["", "Pod"],
      ["", "Service"],
      ["", "ConfigMap"],
      ["", "PersistentVolumeClaim"],
      ["apps", "Deployment"],
      ["apps", "StatefulSet"],
      ["rbac.authorization.k8s.io", "RoleBinding"],
    ] as const;
    for (const [group, kind] of kinds) {
      const apiVersion = group === "" ? "v1" : `${group}/v1`;
      const object = { apiVersion, kind, metadata: { namespace, name: "mine" } };
      const create = async () => (await tenant.client.kind<KubeObject>(object)).create(object);
      assert.ok(await tenant.isForbidden(create), kind);
    }
    const patch = { type: "merge", patch: { status: { etcd: { addresses: [] } } } } as const;
    for (const resource of [resources.controlPlanes, resources.apiserver]) {
      const status = { namespace, name: "full" };
      const write = () => tenant.client.resource(resource).status.patch(status, patch);
      assert.ok(await tenant.isForbidden(write), resource.kind);
    }
  });

  it("keeps what ran with an image that is no longer allowed, and hears of the flag", async () => {
    await tenant.make("own", { etcd: { image } });
    const before = await tenant.has<Workload>("apps", "StatefulSet", "own-etcd");
    await plane.restartManagers();
    const message = await tenant.hears(resources.etcd, "own", {
      type: "UpToDate",
      reason: "NotAllowed",
    });
    assert.match(message, /spec\.image: .*--allowed-images=registry\.example\.com\/team\/etcd/);
    await tenant.change(resources.etcd, "own", { spec: { replicas: 3, version: "3.6.9" } });
    const { generation } = await tenant.client
      .resource<KubeObject>(resources.etcd)
      .get({ namespace: tenant.namespace, name: "own" })
      .then(({ metadata }) => metadata);
    await waitFor(
      async () => {
        const { status } = await tenant.client
          .resource<KubeObject<unknown, { readonly observedGeneration?: number }>>(resources.etcd)
          .get({ namespace: tenant.namespace, name: "own" });
        return status?.observedGeneration === generation;
      },
      { what: "the change to be looked at", timeout: 60_000 },
    );
    const after = await tenant.has<Workload>("apps", "StatefulSet", "own-etcd");
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.equal(after.metadata.generation, before.metadata.generation);
    assert.equal(after.spec?.template.spec.containers[0]?.image, image);
  });

  it("has its certificates renewed meanwhile", async () => {
    const { namespace } = tenant;
    const key = { namespace, name: "own-etcd-serving-cert" };
    const secrets = plane.admin.resource<KubeObject>(builtInResources.secrets);
    const before = await secrets.get(key);
    await secrets.delete(key);
    await waitFor(
      async () => {
        const found = await tenant.list("", "Secret");
        const { uid } = found.find(({ metadata }) => metadata.name === key.name)?.metadata ?? {};
        return uid !== undefined && uid !== before.metadata.uid;
      },
      { what: "another certificate", timeout: 60_000 },
    );
  });

  it("goes on when the field is gone", async () => {
    const spec = { image: null, replicas: 1, version: null };
    await tenant.change(resources.etcd, "own", { spec });
    await waitFor(
      async () => {
        const { spec } = await tenant.has<Workload>("apps", "StatefulSet", "own-etcd");
        return spec?.template.spec.containers[0]?.image.startsWith("registry.k8s.io/etcd:");
      },
      { what: "the image that belongs to the version", timeout: 60_000 },
    );
  });
});
