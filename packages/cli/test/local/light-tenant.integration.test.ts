import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig, parseUntrustedConfig } from "@rookery/client";
import {
  type Condition,
  getCondition,
  isForbidden,
  type KubeObject,
  ownerReferenceTo,
  restrictedNamespace,
} from "@rookery/kube";
import { startLocalServer } from "@rookery/local";
import { nestedRelease } from "@rookery/nested";
import { createTemporaryFolder, waitFor } from "@rookery/testing";
import { createImagePrograms } from "../../src/local/image-programs.ts";

const timeout = 240_000;
const controlPlaneVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
const place = { namespace: "team", name: "tenant" };

type Conditioned = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;

/** Of Cluster API as much as the provider looks at: nobody but the test acts on Clusters. */
const clusterKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "clusters.cluster.x-k8s.io" },
  spec: {
    group: "cluster.x-k8s.io",
    scope: "Namespaced",
    names: { kind: "Cluster", plural: "clusters", singular: "cluster" },
    versions: [
      {
        name: "v1beta2",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};

const nestKind = {
  ...clusterKind,
  metadata: { name: "nests.birds.example" },
  spec: {
    ...clusterKind.spec,
    group: "birds.example",
    names: { kind: "Nest", plural: "nests", singular: "nest" },
  },
};

/** Applies any object, once its kind is served and whoever judges it can be asked. */
async function apply(client: Client, object: object): Promise<KubeObject> {
  const { apiVersion, kind, metadata } = object as KubeObject;
  const [group = "", version = ""] = apiVersion.includes("/")
    ? apiVersion.split("/")
    : ["", apiVersion];
  let last: unknown;
  return waitFor(
    async () => {
      try {
        const resource = await client.mapper.resourceForKind({ group, version, kind });
        return await client
          .resource<KubeObject>(resource)
          .apply(object as KubeObject, { fieldManager: "test", force: true });
      } catch (error) {
        last = error;
        return undefined;
      }
    },
    { what: `${kind} ${metadata.name} to be taken`, timeout, detail: () => String(last) },
  );
}

describe("a light tenant on the embedded Kubernetes, by providers that run as its pods", () => {
  const stack = new AsyncDisposableStack();
  let client: Client;

  before(async () => {
    const folder = stack.use(await createTemporaryFolder("light-tenant"));
    const images = createImagePrograms({ env: process.env, programs: () => ({}) });
    const server = stack.use(
      await startLocalServer({ data: folder.path, port: 0, node: { images } }),
    );
    client = stack.use(createClient(await loadConfig({ path: server.kubeconfig ?? "" })));
    await apply(client, clusterKind);
    const release = nestedRelease({ image: "rookery:0.0.0" });
    for (const file of ["infrastructure-components.yaml", "control-plane-components.yaml"]) {
      for (const object of release.get(file) ?? []) await apply(client, object);
    }
    await apply(client, restrictedNamespace("team", {}));
  });
  after(() => stack.disposeAsync());

  const get = async (group: string, kind: string, name = place.name): Promise<Conditioned> => {
    const resource = await client.mapper.resourceForKind({ group, kind });
    return client.resource<Conditioned>(resource).get({ namespace: place.namespace, name });
  };

  const isSaid = (kind: string, type: string, reason: string) => {
    let last: Condition | undefined;
    return waitFor(
      async () => {
        const { status } = await get("controlplane.cluster.x-k8s.io", kind);
        last = getCondition(status?.conditions, type);
        return last?.reason === reason;
      },
      { what: `${type} of ${kind} to be ${reason}`, timeout, detail: () => JSON.stringify(last) },
    );
  };

  async function tenantClient(name = "tenant-kubeconfig"): Promise<Client> {
    const { data } = (await get("", "Secret", name)) as { data?: { value?: string } };
    const text = Buffer.from(data?.value ?? "", "base64").toString("utf8");
    return createClient(await parseUntrustedConfig(text, { source: `Secret ${name}` }));
  }

  it("is ready without an etcd and a controller manager, which say that none is needed", async () => {
    const reference = (kind: string) => ({ apiVersion: controlPlaneVersion, kind, name: "tenant" });
    const cluster = await apply(client, {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: place,
      spec: {
        controlPlaneRef: {
          apiGroup: "controlplane.cluster.x-k8s.io",
          kind: "NestedControlPlane",
          name: "tenant",
        },
      },
    });
    const owned = { ...place, ownerReferences: [ownerReferenceTo(cluster)] };
    await apply(client, {
      apiVersion: controlPlaneVersion,
      kind: "NestedControlPlane",
      metadata: owned,
      spec: {
        etcd: reference("NestedEtcd"),
        apiserver: reference("NestedAPIServer"),
        controllerManager: reference("NestedControllerManager"),
      },
    });
    const component = (kind: string, spec: object) =>
      apply(client, { apiVersion: controlPlaneVersion, kind, metadata: place, spec });
    await component("NestedEtcd", {});
    await component("NestedControllerManager", {});
    await component("NestedAPIServer", { profile: "light" });
    await isSaid("NestedControlPlane", "Ready", "Ready");
    await isSaid("NestedEtcd", "Ready", "NotApplicable");
    await isSaid("NestedControllerManager", "Ready", "NotApplicable");
    const { status } = await get("controlplane.cluster.x-k8s.io", "NestedAPIServer");
    assert.equal((status as { profile?: string }).profile, "light");
  });

  it("has kinds, roles and accounts of its own", async () => {
    await using tenant = await tenantClient();
    await apply(tenant, nestKind);
    const metadata = { namespace: "default", name: "first" };
    await apply(tenant, {
      apiVersion: "birds.example/v1beta2",
      kind: "Nest",
      metadata,
      color: "blue",
    });
    await apply(tenant, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "nest-watcher" },
      rules: [{ apiGroups: ["birds.example"], resources: ["nests"], verbs: ["get"] }],
    });
    await waitFor(
      async () => {
        const accounts = await tenant.mapper.resourceForKind({ group: "", kind: "ServiceAccount" });
        const { items } = await tenant.resource(accounts).list({ namespace: "kube-public" });
        return items.length === 1;
      },
      { what: "its own controllers to make an account", timeout },
    );
    await assert.rejects(client.mapper.resourceForKind({ group: "birds.example", kind: "Nest" }));
  });

  it("has a kubeconfig for people, whose rights the tenant takes away without locking out managers", async () => {
    await using person = await tenantClient("tenant-user-kubeconfig");
    await using controllers = await tenantClient();
    const nodes = await controllers.mapper.resourceForKind({ group: "", kind: "Node" });
    await person.resource(nodes).list();
    const kind = { group: "rbac.authorization.k8s.io", kind: "ClusterRoleBinding" };
    const bindings = await controllers.mapper.resourceForKind(kind);
    const key = { name: "nested:cluster-admins" };
    await person.resource(bindings).delete(key);
    const isRefused = () =>
      person
        .resource(nodes)
        .list()
        .then(() => false, isForbidden);
    await waitFor(isRefused, { what: "people to have no rights", timeout });
    await controllers.resource(nodes).list();
    // The manager looks at the tenant again when the control plane changes, and leaves it so.
    const touched = { metadata: { annotations: { touched: "yes" } } };
    const planes = await client.mapper.resourceForKind({
      group: "controlplane.cluster.x-k8s.io",
      kind: "NestedControlPlane",
    });
    await client.resource(planes).patch(place, { type: "merge", patch: touched });
    await isSaid("NestedControlPlane", "Ready", "Ready");
    assert.ok(await isRefused());
  });

  it("is refused what the administrator does not allow, in the words of the condition", async () => {
    const apiServers = await client.mapper.resourceForKind({
      group: "controlplane.cluster.x-k8s.io",
      kind: "NestedAPIServer",
    });
    const image = { type: "merge", patch: { spec: { image: "evil.example/rookery:1" } } } as const;
    await assert.rejects(
      client.resource(apiServers).patch(place, image),
      /spec\.image: Forbidden: evil\.example\/rookery:1 is not allowed; .*--allowed-images=evil\.example\/rookery/,
    );
  });

  it("keeps its profile, and finds its data when its pod is made anew", async () => {
    const apiServers = await client.mapper.resourceForKind({
      group: "controlplane.cluster.x-k8s.io",
      kind: "NestedAPIServer",
    });
    const full = { type: "merge", patch: { spec: { profile: "full" } } } as const;
    await assert.rejects(client.resource(apiServers).patch(place, full), /spec\.profile/);
    const pods = await client.mapper.resourceForKind({ group: "", kind: "Pod" });
    const selector = { namespace: "team", labelSelector: "nested.rookery.dev/component=apiserver" };
    const list = () => client.resource<KubeObject>(pods).list(selector);
    const [before] = (await list()).items;
    assert.ok(before);
    await client.resource(pods).delete({ namespace: "team", name: before.metadata.name ?? "" });
    const color = async () => {
      await using tenant = await tenantClient();
      const nests = await tenant.mapper.resourceForKind({ group: "birds.example", kind: "Nest" });
      const key = { namespace: "default", name: "first" };
      return (await tenant.resource<KubeObject & { color?: string }>(nests).get(key)).color;
    };
    await waitFor(
      async () => {
        const { items } = await list();
        const isAnother = items.every(({ metadata }) => metadata.uid !== before.metadata.uid);
        return isAnother && (await color().catch(() => undefined)) === "blue";
      },
      { what: "the tenant to come back with its data", timeout },
    );
  });

  it("replaces its authorities by one wish, and refuses no request meanwhile", async () => {
    const authority = async () => {
      const { data } = (await get("", "Secret", "tenant-ca")) as { data?: { "tls.crt"?: string } };
      return atob(data?.["tls.crt"] ?? "");
    };
    const former = await authority();
    const planes = await client.mapper.resourceForKind({
      group: "controlplane.cluster.x-k8s.io",
      kind: "NestedControlPlane",
    });
    const rotation = { overlap: "5s", rotateAfter: new Date().toISOString() };
    const patch = { spec: { certificates: { rotation } } };
    await client.resource(planes).patch(place, { type: "merge", patch });
    let asked = 0;
    await waitFor(
      async () => {
        // A connection of its own each time, with the kubeconfig as it is then.
        await using tenant = await tenantClient();
        const nests = await tenant.mapper.resourceForKind({ group: "birds.example", kind: "Nest" });
        await tenant.resource(nests).list();
        asked += 1;
        const now = await authority();
        const isReplaced = now !== former && now.split("BEGIN CERTIFICATE").length === 2;
        const { status } = await get("controlplane.cluster.x-k8s.io", "NestedControlPlane");
        const current = getCondition(status?.conditions, "AuthoritiesCurrent");
        return isReplaced && current?.reason === "Current";
      },
      // Whatever is refused is an error.
      { what: "another authority", timeout: 600_000, interval: 200, fatal: () => true },
    );
    assert.ok(asked > 10);
  });

  it("goes with its control plane, and leaves no claim and no pod", async () => {
    const planes = await client.mapper.resourceForKind({
      group: "controlplane.cluster.x-k8s.io",
      kind: "NestedControlPlane",
    });
    await client.resource(planes).delete(place);
    for (const kind of ["Pod", "PersistentVolumeClaim", "Secret"]) {
      const resource = await client.mapper.resourceForKind({ group: "", kind });
      let left: readonly KubeObject[] = [];
      await waitFor(
        async () => {
          left = (await client.resource<KubeObject>(resource).list({ namespace: "team" })).items;
          return left.length === 0;
        },
        {
          what: `every ${kind} to be gone`,
          timeout,
          detail: () => left.map(({ metadata }) => metadata.name).join(", "),
        },
      );
    }
  });
});
