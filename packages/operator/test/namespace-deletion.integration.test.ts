import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import { builtInResources, getCondition, isForbidden, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { InstancePlane, kind, neighbour, tenant } from "./instance-plane.ts";
import { smallProvider } from "./small-provider.ts";

const nest = { namespace: "nest-system", name: "nest" };
const account = "nest-manager";
const object = { namespace: tenant, name: "vm" };
const type = { group: "nest.example.com", kind: "Nest" };
const deployment = { namespace: nest.namespace, name: account };
const rights = { namespace: tenant, name: `${account}:${nest.namespace}` };
const bindings = { group: "rbac.authorization.k8s.io", kind: "RoleBinding" };

describe("a tenant's namespace that is deleted while an instance has rights in it alone", () => {
  let plane: InstancePlane;
  let manager: Client;

  before(async () => {
    plane = await InstancePlane.start();
    const { admin } = plane;
    await admin.makeNamespace(nest.namespace);
    for (const version of ["v1.0.0", "v1.1.0"]) {
      const components = smallProvider({
        name: nest.name,
        divisible: true,
        args: [`--${version}`],
      });
      await admin.offer(nest.namespace, { name: nest.name, version, components });
    }
    const watch = { namespaces: [tenant, neighbour], rbac: "Namespaced" as const };
    await admin.create(kind, nest, { version: "v1.0.0", watch });
    await admin.conditionIs(kind, nest, ["Ready", "Ready"]);
    manager = await plane.as(nest.namespace, account);
    const metadata = { ...object, finalizers: ["nest.example.com/vm"] };
    const nests = await admin.client.kind<KubeObject>(type);
    await nests.create({ apiVersion: "nest.example.com/v1", kind: "Nest", metadata });
  });
  after(() => plane?.[Symbol.asyncDispose]());

  const isGone = (name: string) =>
    waitFor(
      async () =>
        (await plane.admin.find({ group: "", kind: "Namespace" }, { name })) === undefined,
      { what: `namespace ${name} to be gone` },
    );
  const asManager = async () => (await manager.kind<KubeObject>(type)).get(object);
  const finish = async () => {
    const patch = { metadata: { finalizers: [] } };
    await (await manager.kind<KubeObject>(type)).patch(object, { type: "merge", patch });
  };
  const warning = async () => {
    const { status } = await plane.admin.get(kind, nest);
    return getCondition(status?.conditions, "Warning");
  };

  it("restores a right that somebody deletes", async () => {
    const before = await plane.admin.find(bindings, rights);
    await (await plane.admin.client.kind(bindings)).delete(rights);
    const isNew = async () => {
      const found = await plane.admin.find(bindings, rights);
      return found !== undefined && found.metadata.uid !== before?.metadata.uid;
    };
    await waitFor(isNew, { what: "the right to be made anew" });
    await asManager();
  });

  it("keeps the manager's rights until its objects are gone, over an upgrade too", async () => {
    await plane.admin.client.resource(builtInResources.namespaces).delete({ name: tenant });
    await waitFor(async () => isWaitingFor(await namespaceOf(), "nest.example.com/vm"), {
      what: "the namespace to wait for the object",
      timeout: 60_000,
    });
    await asManager();
    await plane.admin.change(kind, nest, { version: "v1.1.0" });
    await plane.admin.conditionIs(kind, nest, ["Ready", "Ready"]);
    // Its account is another one now.
    manager = await plane.as(nest.namespace, account);
    await finish();
    await isGone(tenant);
  });

  it("says which namespace is missing, and goes on looking after the rest", async () => {
    const gone = await waitFor(
      async () => {
        const found = await warning();
        return found?.reason === "NamespaceMissing" && found;
      },
      { what: "the warning of the namespace" },
    );
    assert.match(gone.message, /namespace chinstrap.*make it again, or take it out of/);
    const { status } = await plane.admin.get(kind, nest);
    assert.equal(getCondition(status?.conditions, "Ready")?.status, "True");
    const apps = await plane.admin.client.kind<KubeObject<{ minReadySeconds?: number }>>({
      group: "apps",
      kind: "Deployment",
    });
    await apps.delete(deployment);
    await waitFor(() => plane.admin.find({ group: "apps", kind: "Deployment" }, deployment), {
      what: "the Deployment to be restored",
    });
  });

  it("gives the rights again when the namespace is made again", async () => {
    await plane.admin.makeNamespace(tenant);
    const list = async () => (await manager.kind(type)).list({ namespace: tenant });
    await waitFor(() => list().then(() => true, unlessForbidden), {
      what: "the manager to have its rights",
      timeout: 60_000,
    });
    await waitFor(async () => (await warning()) === undefined, { what: "the warning to go" });
  });

  it("lets go of a namespace that is deleted after the provider", async () => {
    await plane.admin.remove(kind, nest);
    await plane.admin.isGone(kind, nest);
    assert.equal(await plane.admin.find(bindings, rights), undefined);
    await plane.admin.client.resource(builtInResources.namespaces).delete({ name: tenant });
    await isGone(tenant);
  });

  async function namespaceOf() {
    return plane.admin.find<Namespace>({ group: "", kind: "Namespace" }, { name: tenant });
  }
});

type Namespace = KubeObject<
  object,
  { readonly conditions?: readonly { readonly type: string; readonly message?: string }[] }
>;

function isWaitingFor(namespace: Namespace | undefined, finalizer: string): boolean {
  return (namespace?.status?.conditions ?? []).some(({ message = "" }) =>
    message.includes(finalizer),
  );
}

function unlessForbidden(error: unknown): false {
  if (!isForbidden(error)) throw error;
  return false;
}
