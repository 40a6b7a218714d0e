import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import { builtInResources, getCondition, isForbidden, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { InstancePlane, kind, neighbour, own, shared, tenant, version } from "./instance-plane.ts";

const account = "capv-controller-manager";
const { secrets, configMaps, namespaces } = builtInResources;
const prefix = "management.cluster.x-k8s.io";
const rbac = "rbac.authorization.k8s.io";
const stateName = `${kind.toLowerCase()}-${own.name}-state`;

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
type Attempt = (manager: Client) => Promise<unknown>;

/** An object that would give somebody all there is. */
const takeOver = {
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name: "take-over" },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
  subjects: [{ kind: "ServiceAccount", name: account, namespace: own.namespace }],
};
const webhook = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "take-over" },
};
const merge = (patch: object) => ({ type: "merge", patch }) as const;
const on = (client: Client, group: string, one: string) =>
  client.kind<KubeObject>({ group, kind: one });
const identity = { name: "shared" };

/** What the account of one tenant's instance, with the token of its pods, tries on others. */
const refused: Readonly<Record<string, Attempt>> = {
  "an instance lists the Secrets of all tenants": (client) => client.resource(secrets).list(),
  "an instance reads a neighbour's Secret": (client) =>
    client.resource(secrets).get({ namespace: neighbour, name: "token" }),
  "an instance reads the password of a neighbour's identity": (client) =>
    client.resource(secrets).get({ namespace: shared.namespace, name: "adelie" }),
  "an instance reads the key that the operator trusts records by": (client) =>
    client.resource(secrets).get({ namespace: "rookery-system", name: "rookery-operator-seal" }),
  "an instance lists the ConfigMaps of all tenants": (client) => client.resource(configMaps).list(),
  "an instance puts a Secret into a neighbour's namespace": (client) =>
    client.resource<KubeObject>(secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: neighbour, name: "planted" },
    }),
  "an instance writes a cluster into a neighbour's namespace": async (client) =>
    (await on(client, "infrastructure.cluster.x-k8s.io", "VSphereCluster")).patch(
      { namespace: neighbour, name: neighbour },
      merge({ spec: { server: "evil.example.com" } }),
    ),
  "an instance labels its tenant's namespace as another's": (client) =>
    client
      .resource(namespaces)
      .patch({ name: tenant }, merge({ metadata: { labels: { team: "adelie" } } })),
  "an instance makes a webhook that hears every request": async (client) =>
    (await on(client, "admissionregistration.k8s.io", webhook.kind)).create(webhook),
  "an instance points a neighbour's webhooks at itself": async (client) =>
    (await on(client, "admissionregistration.k8s.io", webhook.kind)).patch(
      { name: `capv-validating-webhook-configuration-${shared.namespace}` },
      merge({ webhooks: null }),
    ),
  "an instance changes the conversion of a kind that all share": async (client) =>
    (await on(client, "apiextensions.k8s.io", "CustomResourceDefinition")).patch(
      { name: "vsphereclusters.infrastructure.cluster.x-k8s.io" },
      merge({ spec: { conversion: null } }),
    ),
  "an instance binds itself to cluster-admin": async (client) =>
    (await on(client, rbac, takeOver.kind)).create(takeOver),
  "an instance gives itself a role in a neighbour's namespace": async (client) =>
    (await on(client, rbac, "RoleBinding")).create({
      ...takeOver,
      kind: "RoleBinding",
      metadata: { name: "take-over", namespace: neighbour },
    } as KubeObject),
  "an instance makes an identity for a neighbour's account": async (client) =>
    (await on(client, "infrastructure.cluster.x-k8s.io", "VSphereClusterIdentity")).create({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereClusterIdentity",
      metadata: { name: "mine" },
      spec: { secretName: "adelie", allowedNamespaces: {} },
    } as KubeObject),
  "an instance deletes a neighbour's identity": async (client) =>
    (await on(client, "infrastructure.cluster.x-k8s.io", "VSphereClusterIdentity")).delete(
      identity,
    ),
  "an instance asks for wider rights in its provider object": async (client) =>
    (await on(client, prefix, kind)).patch(own, merge({ spec: { watch: { rbac: "Cluster" } } })),
};

describe("attacks on instances", () => {
  let plane: InstancePlane;
  let manager: Client;
  let record: Secret;

  before(async () => {
    plane = await InstancePlane.start();
    await plane.admin.makeNamespace(shared.namespace);
    await plane.admin.makeSecret(shared.namespace, "adelie", { username: "a", password: "hush" });
    await plane.install(shared, { watch: { rest: true } });
    await plane.install(own, { watch: { namespaces: [tenant] } });
    manager = await plane.as(own.namespace, account);
    await waitFor(
      () =>
        manager
          .resource(secrets)
          .list()
          .then(() => false, isForbidden),
      {
        what: "the rights of the instance to be in its namespaces alone",
      },
    );
    record = await states().get({ namespace: own.namespace, name: stateName });
  });
  after(() => plane?.[Symbol.asyncDispose]());

  const states = () => plane.admin.client.resource<Secret>(secrets);
  const readyReason = async () => {
    const { status } = await plane.admin.get(kind, own);
    return getCondition(status?.conditions, "Ready")?.reason;
  };
  const isTakenOver = async () =>
    (await plane.admin.find({ group: rbac, kind: takeOver.kind }, { name: "take-over" })) !==
    undefined;
  /** Something happens to the provider, and the operator looks at all that it remembers. */
  const stir = (note: string) =>
    plane.kubernetes.kubectl([
      ...["annotate", "--overwrite", `infrastructureprovider/${own.name}`],
      ...[`--namespace=${own.namespace}`, `stirred=${note}`],
    ]);

  async function isNotTrusted(note: string): Promise<void> {
    await stir(note);
    await waitFor(async () => (await readyReason()) === "RecordNotTrusted", {
      what: "the operator to refuse the record",
    });
    assert.equal(await isTakenOver(), false);
  }

  /** As an administrator mends it. */
  async function mend(): Promise<void> {
    const { resourceVersion: _, ...metadata } = record.metadata;
    const present = await states().get({ namespace: own.namespace, name: stateName });
    const { resourceVersion = "" } = present.metadata;
    await states().update({ ...record, metadata: { ...metadata, resourceVersion } });
    await stir("mended");
    await waitFor(async () => (await readyReason()) === "Ready", {
      what: "the instance to be ready again",
    });
  }

  const changed = (change: (state: Record<string, unknown>) => object): string => {
    const state = JSON.parse(Buffer.from(record.data?.state ?? "", "base64").toString());
    return Buffer.from(JSON.stringify(change(state))).toString("base64");
  };

  for (const [name, attempt] of Object.entries(refused)) {
    it(name, () => assert.rejects(attempt(manager), isForbidden));
  }

  it("an instance rewrites what the operator remembers, to be bound in the whole cluster", async () => {
    const wide = changed((state) => ({
      ...state,
      layout: { ...Object(state.layout), rbac: "Cluster" },
    }));
    await manager
      .resource<Secret>(secrets)
      .patch({ namespace: own.namespace, name: stateName }, merge({ data: { state: wide } }));
    await isNotTrusted("state");
    await assert.rejects(manager.resource(secrets).list(), isForbidden);
    await mend();
  });

  it("an instance lets the record name a release of its own", async () => {
    const release = { reference: { id: "evil" }, source: {}, components: [takeOver] };
    await manager.resource<Secret>(secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        namespace: own.namespace,
        name: `${kind.toLowerCase()}-vsphere-release-evil-0`,
      },
      data: { release: Buffer.from(JSON.stringify(release)).toString("base64") },
    });
    const evil = changed((state) => ({
      ...state,
      phase: "Applying",
      release: { ...Object(state.release), id: "evil" },
    }));
    await manager
      .resource<Secret>(secrets)
      .patch({ namespace: own.namespace, name: stateName }, merge({ data: { state: evil } }));
    await isNotTrusted("release");
    await mend();
  });

  it("an instance says on the outside of its record that it has wider rights", async () => {
    const metadata = { annotations: { [`${prefix}/rbac`]: "Cluster" } };
    await manager
      .resource<Secret>(secrets)
      .patch({ namespace: own.namespace, name: stateName }, merge({ metadata }));
    await isNotTrusted("annotation");
    await assert.rejects(manager.resource(secrets).list(), isForbidden);
    await mend();
  });

  it("an instance takes the seal off its record, as if it were from before there were seals", async () => {
    const annotations = { [`${prefix}/seal`]: null, [`${prefix}/content-hash`]: null };
    const wide = changed((state) => ({
      ...state,
      layout: { ...Object(state.layout), rbac: "Cluster" },
    }));
    await manager
      .resource<Secret>(secrets)
      .patch(
        { namespace: own.namespace, name: stateName },
        merge({ metadata: { annotations }, data: { state: wide } }),
      );
    await plane.stopOperator();
    await plane.startOperator();
    await isNotTrusted("seal");
    await mend();
  });

  it("who writes Secrets beside an instance puts other components into its release", async () => {
    const labelSelector = `${prefix}/operator-record=release`;
    const { items } = await states().list({ namespace: own.namespace, labelSelector });
    const { gzipSync, gunzipSync } = await import("node:zlib");
    for (const { metadata, ...rest } of items) {
      const packed = Buffer.from(rest.data?.release ?? "", "base64");
      const release = JSON.parse(gunzipSync(packed).toString());
      // What runs is applied again from the components, and another change is rendered from the source.
      const components = [...release.components, takeOver];
      const text = `${release.source.components}\n---\n${JSON.stringify(takeOver)}\n`;
      const evil = { ...release, components, source: { ...release.source, components: text } };
      const data = { release: gzipSync(JSON.stringify(evil)).toString("base64") };
      const key = { namespace: own.namespace, name: metadata.name ?? "" };
      const { resourceVersion: _, uid: __, creationTimestamp: ___, ...meta } = metadata;
      await states().delete(key);
      await states().create({ ...rest, metadata: meta, data });
    }
    await plane.admin.change(kind, own, { manager: { verbosity: 3 } });
    await plane.kubernetes.kubectl([
      ...["delete", `deployment/${account}`, `--namespace=${own.namespace}`],
    ]);
    await plane.isReady(own);
    assert.equal(await isTakenOver(), false);
  });

  it("who writes Secrets beside an instance changes the variables that it was installed with", async () => {
    const values = { VSPHERE_USERNAME: "a", VSPHERE_PASSWORD: "b", VSPHERE_SERVER: "vc" };
    await plane.admin.makeSecret(own.namespace, "variables", values);
    await plane.admin.change(kind, own, { secretName: "variables" });
    await plane.isReady(own);
    const evil = `x"\n---\n${JSON.stringify(takeOver)}\n---\na: "`;
    await manager
      .resource<Secret>(secrets)
      .patch(
        { namespace: own.namespace, name: "variables" },
        merge({ data: { VSPHERE_SERVER: Buffer.from(evil).toString("base64") } }),
      );
    await plane.admin.change(kind, own, { manager: { verbosity: 4 } });
    await plane.admin.conditionIs(kind, own, ["ProviderFetched", "SecretChanged"]);
    assert.equal(await isTakenOver(), false);
    await plane.admin.makeSecret(own.namespace, "variables-2", values);
    await plane.admin.change(kind, own, { secretName: "variables-2" });
    await plane.isReady(own);
  });

  it("a tenant keeps a record ready for a provider that is not declared yet", async () => {
    const future = { namespace: "future-capv-system", name: "vsphere" };
    await plane.offer(future.namespace);
    const state = { owned: [], phase: "Stable", release: { id: "evil", version } };
    await states().create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        namespace: future.namespace,
        name: stateName,
        labels: { [`${prefix}/operator-record`]: "state" },
        annotations: { [`${prefix}/rbac`]: "Cluster" },
      },
      data: { state: Buffer.from(JSON.stringify(state)).toString("base64") },
    });
    await plane.admin.makeNamespace("future");
    const watch = { namespaces: ["future"] };
    await plane.admin.create(kind, future, { version, watch });
    await plane.admin.conditionIs(kind, future, ["Ready", "RecordNotTrusted"]);
    assert.equal(await isTakenOver(), false);
  });

  it("a tenant's ConfigMap is taken for a release of a provider that lives in its namespace", async () => {
    const inside = { namespace: tenant, name: "gcp" };
    const components = JSON.stringify(takeOver);
    await plane.admin.offer(tenant, { name: "gcp", version: "v1.0.0", components });
    await plane.admin.create(kind, inside, { version: "v1.0.0" });
    await plane.admin.conditionIs(kind, inside, ["PreflightCheckPassed", "TenantNamespace"]);
    assert.equal(await isTakenOver(), false);
  });

  it("a status that somebody wrote makes the operator widen rights", async () => {
    const status = { watch: { by: "flag", first: true, rbac: "Cluster" } };
    await plane.kubernetes.kubectl([
      ...["patch", `infrastructureprovider/${own.name}`, `--namespace=${own.namespace}`],
      ...["--subresource=status", "--type=merge", `--patch=${JSON.stringify({ status })}`],
    ]);
    await waitFor(
      async () => (await plane.admin.get(kind, own)).status?.watch?.rbac === "Namespaced",
      { what: "the status to be as it was" },
    );
    await assert.rejects(manager.resource(secrets).list(), isForbidden);
  });

  it("and the honest neighbour is as it was", async () => {
    await plane.isReady(shared);
    await plane.isReady(own);
    const token = await states().get({ namespace: neighbour, name: "token" });
    assert.equal(Buffer.from(token.data?.value ?? "", "base64").toString(), "hush");
  });
});
