import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import { builtInResources, getCondition, isForbidden, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { InstancePlane, kind, neighbour, own, shared, tenant, version } from "./instance-plane.ts";

const account = "capv-controller-manager";
const { secrets } = builtInResources;
const prefix = "management.cluster.x-k8s.io";

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
type Binding = KubeObject & { readonly subjects?: readonly { readonly namespace: string }[] };

describe("the rights of an instance that names its namespaces", () => {
  let plane: InstancePlane;
  let manager: Client;

  before(async () => {
    plane = await InstancePlane.start();
    await plane.install(shared, { watch: { rest: true } });
    await plane.install(own, { watch: { namespaces: [tenant] } });
    manager = await plane.as(own.namespace, account);
    await plane.admin.makeSecret(shared.namespace, "adelie", { username: "a", password: "hush" });
  });
  after(() => plane?.[Symbol.asyncDispose]());

  const rightsOf = async () => (await plane.admin.get(kind, own)).status?.watch?.rbac;
  const warning = async () => {
    const { status } = await plane.admin.get(kind, own);
    return getCondition(status?.conditions, "Warning");
  };
  const bound = async () => {
    const type = { group: "rbac.authorization.k8s.io", kind: "ClusterRoleBinding" };
    const key = { name: "capv-manager-rolebinding" };
    const { subjects = [] } = (await plane.admin.find<Binding>(type, key)) ?? {};
    return subjects.map(({ namespace }) => namespace).sort();
  };
  const listSecrets = (namespace?: string) =>
    manager.resource(secrets).list({ ...(namespace && { namespace }) });

  it("are in those alone, where nothing is said of them", async () => {
    assert.equal(await rightsOf(), "Namespaced");
    await waitFor(async () => (await bound()).join() === shared.namespace, {
      what: "the shared binding to have the account of the shared instance alone",
    });
    await listSecrets(tenant);
    await listSecrets(own.namespace);
    for (const elsewhere of [undefined, neighbour, shared.namespace, "kube-system"]) {
      await assert.rejects(listSecrets(elsewhere), isForbidden, elsewhere ?? "all namespaces");
    }
    assert.equal(await warning(), undefined);
  });

  it("stay those of the cluster where they were so before the default changed, with a warning", async () => {
    await plane.admin.change(kind, own, { watch: { rbac: "Cluster" } });
    await waitFor(async () => (await bound()).length === 2, { what: "both accounts to be bound" });
    await plane.isReady(own);
    await asBefore();
    await plane.startOperator();
    await waitFor(async () => (await warning())?.reason === "ClusterRights", {
      what: "the warning of rights in the whole cluster",
    });
    assert.match((await warning())?.message ?? "", /set it to Namespaced/);
    assert.match((await warning())?.message ?? "", /reads Secrets of identities in namespace capv/);
    const { status } = await plane.isReady(own);
    assert.equal(status?.watch?.rbac, "Cluster");
    assert.deepEqual(await bound(), [shared.namespace, own.namespace].sort());
    await listSecrets(neighbour);
  });

  it("are in its namespaces alone from when the field says so", async () => {
    await plane.admin.change(kind, own, { watch: { rbac: "Namespaced" } });
    await waitFor(async () => (await bound()).length === 1, { what: "the account to be unbound" });
    await plane.isReady(own);
    await waitFor(() => listSecrets(neighbour).then(() => false, isForbidden), {
      what: "the API server to know",
    });
    // The Secrets that its clusters use are still where all looked.
    await listSecrets(shared.namespace);
    assert.equal((await warning())?.reason, "SharedCredentials");
  });

  it("end in the former namespace of credentials when its own is named", async () => {
    const args = { "credentials-namespace": own.namespace };
    const deployment = { containers: [{ name: "manager", args }] };
    await plane.admin.change(kind, own, { deployment });
    await plane.isReady(own);
    await waitFor(() => listSecrets(shared.namespace).then(() => false, isForbidden), {
      what: "the rights on the Secrets of others to go",
    });
    await waitFor(async () => (await warning()) === undefined, { what: "the warning to go" });
  });

  it("are not widened when the field is taken out, or a status is written", async () => {
    await plane.admin.change(kind, own, { watch: { rbac: null } });
    await plane.kubernetes.kubectl([
      ...["patch", `infrastructureprovider/${own.name}`, `--namespace=${own.namespace}`],
      ...["--subresource=status", "--type=merge"],
      `--patch=${JSON.stringify({ status: { watch: { by: "flag", first: false, rbac: "Cluster" } } })}`,
    ]);
    await waitFor(async () => (await rightsOf()) === "Namespaced", {
      what: "the status to be mended",
    });
    assert.deepEqual(await bound(), [shared.namespace]);
    await assert.rejects(listSecrets(neighbour), isForbidden);
  });

  it("wait for a namespace that is not there, and are never wider instead", async () => {
    const late = { namespace: "late-capv-system", name: "vsphere" };
    await plane.offer(late.namespace);
    await plane.admin.create(kind, late, {
      version,
      watch: { namespaces: ["late"] },
    });
    const refused = await plane.admin.conditionIs(kind, late, [
      "PreflightCheckPassed",
      "RbacNotPossible",
    ]);
    const { message = "" } = getCondition(refused.status?.conditions, "PreflightCheckPassed") ?? {};
    assert.match(message, /late is not; make it, .*or set spec.watch.rbac to Cluster/);
    await plane.admin.makeNamespace("late");
    await plane.isReady(late);
    assert.deepEqual(await bound(), [shared.namespace]);
  });

  /**
   * What the state before left: an unset field, records without a seal that say nothing of rights on the
   * outside, one namespace of credentials for all, and no key.
   */
  async function asBefore(): Promise<void> {
    await plane.stopOperator();
    const client = plane.admin.client.resource<Secret>(secrets);
    const labelSelector = `${prefix}/operator-record=state`;
    for (const secret of (await client.listAll({ labelSelector })).items) {
      const { annotations = {} } = secret.metadata;
      const kept = Object.entries(annotations).filter(
        ([key]) => !["seal", "content-hash", "rbac"].some((one) => key === `${prefix}/${one}`),
      );
      const state = JSON.parse(Buffer.from(secret.data?.state ?? "", "base64").toString());
      if (state.layout) state.layout.credentials = shared.namespace;
      const data = { state: Buffer.from(JSON.stringify(state)).toString("base64") };
      const metadata = { ...secret.metadata, annotations: Object.fromEntries(kept) };
      await client.update({ ...secret, metadata, data });
    }
    await client.delete({ namespace: "rookery-system", name: "rookery-operator-seal" });
    await plane.admin.change(kind, own, { watch: { rbac: null } });
  }
});
