import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { NestedEtcd } from "@rookery/api";
import { builtInResources, getCondition } from "@rookery/kube";
import { parseCertificate } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import { newer, older } from "./nested-images.ts";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";
import { supplyPki } from "./supplied-pki.ts";
import { resources, type Tenant } from "./tenant.ts";
import { clusterWide, nest } from "./tenant-objects.ts";
import { connectionOf, TenantTraffic } from "./tenant-traffic.ts";

const skip = await worldUnavailable();
const patience = 300_000;
/** Without a node there is nobody whom an endpoint of the tenant's own Service could lead to. */
const extraArgs = [{ name: "endpoint-reconciler-type", value: "none" }];
/** So that what never becomes ready is given up soon. Nothing else is rolled out with it: machines are slow. */
const impatient = [
  { apiVersion: "apps/v1", kind: "Deployment", spec: { progressDeadlineSeconds: 10 } },
];

/** Two tenants of one name, in namespaces of their own, from their first Secret to their last. */
describe("nested control planes", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let world: NestedWorld;
  let blue: Tenant;
  let green: Tenant;
  let traffic: TenantTraffic;
  let renewals: Promise<void>;
  const expired: string[] = [];

  before(async () => {
    world = stack.use(await NestedWorld.start());
    blue = await world.tenant("blue", "tenant");
    green = await world.tenant("green", "tenant");
    stack.use(await world.startManagers());
    await supplyPki(world.client, green.namespace, green.name);
  });
  after(() => stack.disposeAsync());

  const apiserver = (version: string) => ({
    version,
    service: { type: "LoadBalancer" },
    extraArgs,
  });
  const members = async (tenant: Tenant) =>
    (await tenant.get<NestedEtcd>(resources.etcd)).status?.addresses ?? [];

  it("come up, driven by Cluster API's core", async () => {
    const components = { apiserver: apiserver(older), controllerManager: { version: older } };
    await blue.create({ components, namedBy: "NestedCluster" });
    await green.create({
      components: {
        etcd: { deletionPolicy: "Retain" },
        apiserver: apiserver(newer),
        controllerManager: { version: newer },
      },
      certificates: { leafValidity: "60s" },
    });
    await Promise.all([blue.isUp(), green.isUp()]);
    traffic = stack.use(
      new TenantTraffic(connectionOf((await green.secret("kubeconfig")).data.value ?? "")),
    );
    renewals = renewedTwice();
    // Who waits for it is told.
    renewals.catch(() => {});

    const { status, spec } = await blue.controlPlane();
    assert.equal(status?.version, older);
    assert.equal(status?.externalManagedControlPlane, true);
    assert.equal(status?.initialization?.controlPlaneInitialized, true);
    assert.equal(status?.apiserver?.serviceCidr, "10.96.0.0/12");
    assert.equal(status?.etcd?.addresses?.[0]?.hostname, "tenant-etcd-0.tenant-etcd.blue.svc");
    // What etcd says of itself may change once more, and is then passed on.
    await waitFor(
      async () => {
        const { status } = await blue.controlPlane();
        return isDeepStrictEqual(status?.etcd?.addresses, await members(blue));
      },
      { what: "the addresses of etcd to be passed on", timeout: patience },
    );
    const cluster = await blue.coreCluster();
    assert.deepEqual(cluster.spec?.controlPlaneEndpoint, spec?.controlPlaneEndpoint);
    assert.equal(cluster.spec?.controlPlaneRef?.kind, "NestedControlPlane");
    const uploaded = await blue.kubectl([
      "get",
      "configmap",
      "-n=kube-system",
      "kubeadm-config",
      "-o=yaml",
    ]);
    assert.match(uploaded, new RegExp(`kubernetesVersion: ${older}`));
  });

  it("are each their tenant's own, with CRDs, webhooks and ClusterRoles", async () => {
    await blue.apply(...clusterWide);
    await waitFor(() => blue.apply(nest), { what: "the tenant's kind to be served" });
    const roles = ["get", "clusterrole", "nest-watcher"];
    await blue.kubectl(roles);
    await assert.rejects(green.kubectl(roles), /NotFound/);
    await assert.rejects(world.kubernetes.kubectl(roles), /NotFound/);
    // Its own controller manager works on it.
    await waitFor(() => blue.kubectl(["get", "serviceaccount", "default"]), {
      what: "the service account of the tenant's namespace",
    });
  });

  it("use the PKI that somebody supplied, and leave it as it is", async () => {
    const ca = await green.secret("ca");
    assert.deepEqual(ca.metadata.ownerReferences ?? [], []);
    assert.match(ca.data["tls.key"] ?? "", /PRIVATE KEY/);
    const { ca: trusted } = connectionOf((await green.secret("kubeconfig")).data.value ?? "");
    assert.equal(trusted.trim(), ca.data["tls.crt"]?.trim());
    const serving = parseCertificate(
      (await green.secret("apiserver-serving-cert")).data["tls.crt"] ?? "",
    );
    assert.equal(serving.issuer.commonName, "Kubernetes API");
    for (const leaf of ["proxy-client-cert", "controller-manager-client-cert"]) {
      const { data } = await green.secret(leaf);
      assert.deepEqual(Object.keys(data).toSorted(), ["tls.crt", "tls.key"]);
      assert.ok(!("tls.key" in (await green.secret(`${leaf}-companion`)).data));
    }
  });

  it("are upgraded by a minor, the API server first, and keep what they hold", async () => {
    const images: string[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      const path = "/apis/apps/v1/namespaces/blue/deployments";
      for await (const { object } of world.kubernetes.watch(path, { signal: stop.signal })) {
        const image = object.spec?.template.spec.containers[0].image;
        if (image && !images.includes(image)) images.push(image);
      }
    })().catch(() => {});
    await blue.change(resources.controllerManager, { version: newer });
    await blue.componentIs("controllerManager", { type: "UpToDate", reason: "VersionSkew" });
    await blue.change(resources.apiserver, { version: newer });
    await blue.isUpToDate("apiserver");
    await blue.isUpToDate("controllerManager");
    stop.abort();
    await watching;
    const [first, second] = images.filter((image) => image.endsWith(newer));
    assert.match(first ?? "", /kube-apiserver/);
    assert.match(second ?? "", /kube-controller-manager/);
    await waitFor(async () => (await blue.controlPlane()).status?.version === newer, {
      what: "the version to be told",
    });
    assert.match(await blue.kubectl(["version"]), new RegExp(`Server Version: ${newer}`));
    assert.match(await blue.kubectl(["get", "nest", "first", "-o=yaml"]), /color: blue/);
  });

  it("refuse versions that must not follow, and go on", async () => {
    await blue.change(resources.apiserver, { version: "v1.33.13" });
    await blue.componentIs("apiserver", { type: "UpToDate", reason: "VersionSkew" });
    await blue.change(resources.apiserver, { version: "v1.36.3" });
    const { status } = await blue.componentIs("apiserver", {
      type: "UpToDate",
      reason: "VersionSkew",
    });
    assert.match(getCondition(status?.conditions, "UpToDate")?.message ?? "", /1\.35/);
    await blue.change(resources.apiserver, { version: newer });
    await blue.isUpToDate("apiserver");
  });

  it("go on with what worked where an API server crash-loops", async () => {
    await using meanwhile = new TenantTraffic(
      connectionOf((await blue.secret("kubeconfig")).data.value ?? ""),
    );
    await blue.change(resources.apiserver, {
      extraArgs: [...extraArgs, { name: "no-such-flag", value: "1" }],
      patches: impatient,
    });
    const { status } = await blue.componentIs("apiserver", {
      type: "UpToDate",
      reason: "RolledBack",
    });
    assert.match(status?.failureMessage ?? "", /never became ready; v1\.34\.4 keeps running/);
    const cause =
      /pod tenant-apiserver-\S+: container apiserver ended with exit code 1: .*no-such-flag/;
    assert.match(status?.failureMessage ?? "", cause);
    assert.match(status?.failedRevisionCause ?? "", cause);
    assert.deepEqual(meanwhile.failures, []);
    await blue.change(resources.apiserver, { extraArgs, patches: null });
    await blue.isUpToDate("apiserver");
    await blue.isUp();
  });

  it("have their etcd back with its data when it is killed", async () => {
    const pod = { namespace: "blue", name: "tenant-etcd-0" };
    await world.kill(pod, "etcd");
    await waitFor(
      async () => /color: blue/.test(await blue.kubectl(["get", "nest", "first", "-o=yaml"])),
      { what: "the tenant's data", timeout: patience },
    );
    await blue.isUp();
  });

  it("are reached at another endpoint when that changes, by everybody who has to know", async () => {
    await blue.change(resources.apiserver, { service: { port: 7443 } });
    await waitFor(
      async () => {
        const [plane, cluster, { data }] = await Promise.all([
          blue.controlPlane(),
          blue.cluster(),
          blue.secret("kubeconfig"),
        ]);
        const { server } = connectionOf(data.value ?? "");
        const ports = [
          plane.spec?.controlPlaneEndpoint?.port,
          cluster.spec?.controlPlaneEndpoint?.port,
        ];
        return ports.every((port) => port === 7443) && server.endsWith(":7443");
      },
      { what: "the endpoint to be known", timeout: patience },
    );
    await waitFor(() => blue.kubectl(["get", "nests"]), { what: "the tenant at its new endpoint" });
    await blue.isUp();
  });

  it("cannot be robbed of their components, not even by who is deleted", async () => {
    const thief = await world.tenant("blue", "thief");
    await thief.create({ componentsOf: "tenant" });
    const plane = await thief.controlPlaneIs("ComponentsFound", "ComponentOwnedByOther");
    const message = getCondition(plane.status?.conditions, "ComponentsFound")?.message ?? "";
    assert.match(message, /tenant/);
    await thief.remove();
    await blue.isUp();
  });

  it("wait for a component that is missing", async () => {
    const early = await world.tenant("blue", "early");
    await early.create({ componentsOf: "nobody" });
    await early.controlPlaneIs("ComponentsFound", "ComponentMissing");
    await early.remove();
  });

  /** While the other tenant is worked on; then certificates last, and nothing is rolled any more. */
  async function renewedTwice(): Promise<void> {
    const isOver = async () => {
      if (stack.disposed) return true;
      const { data } = await green.secret("apiserver-serving-cert");
      const { notAfter } = parseCertificate(data["tls.crt"] ?? "");
      if (notAfter < new Date()) expired.push(notAfter.toISOString());
      return traffic.served.size >= 3;
    };
    await waitFor(isOver, {
      what: "a certificate to be renewed twice",
      timeout: 2 * patience,
      interval: 1_000,
    });
    if (stack.disposed) return;
    await green.change(resources.controlPlanes, { certificates: { leafValidity: "24h" } });
    await traffic[Symbol.asyncDispose]();
  }

  /** Where the machine has no inotify instance left, an API server looks at its files once a minute only. */
  const isBlind = async () => {
    const { items } = await world.client
      .resource(builtInResources.pods)
      .list({ namespace: "green" });
    const names = items.map(({ metadata }) => metadata.name ?? "");
    const servers = names.filter((name) => name.startsWith("tenant-apiserver"));
    const texts = await Promise.all(
      servers.map((name) => world.kubernetes.kubectl(["logs", name, "--namespace=green"])),
    );
    return texts.some((text) => text.includes("error creating fsnotify watcher"));
  };

  it("renew certificates while they are in use", async (context) => {
    await renewals;
    assert.deepEqual(expired, [], "a certificate was not renewed in time");
    const isExcused = await isBlind();
    if (isExcused) context.diagnostic("no inotify: the API server looks once a minute");
    const failures = traffic.failures.filter(
      (failure) => !isExcused || !failure.includes("certificate has expired"),
    );
    assert.deepEqual(failures, []);
    await green.isUp();
    // The authorities are somebody's own, and still what they were.
    assert.deepEqual((await green.secret("ca")).metadata.ownerReferences ?? [], []);
  });

  it("leave nothing when they are deleted, but what is somebody's own", async () => {
    await Promise.all([blue.remove(), green.remove()]);
    const isLeft = async (namespace: string, expected: readonly string[]) => {
      let left: string[] = [];
      await waitFor(
        async () => {
          left = await world.inventory(namespace);
          return left.length === expected.length;
        },
        { what: `${namespace} to be empty`, detail: () => left.join("\n"), timeout: patience },
      );
      assert.deepEqual(left, expected);
    };
    await isLeft("blue", []);
    const supplied = [
      ...["ca", "controller-manager-client-cert", "etcd", "proxy", "proxy-client-cert", "sa"],
    ].map((name) => `secret/tenant-${name}`);
    await isLeft("green", ["persistentvolumeclaim/data-tenant-etcd-0", ...supplied]);
    let claims: string[] = [];
    // A volume goes after its claim.
    await waitFor(
      async () => {
        const { body } = await world.kubernetes.request("GET", "/api/v1/persistentvolumes");
        claims = body.items.map(
          (volume: { spec: { claimRef: { namespace: string } } }) => volume.spec.claimRef.namespace,
        );
        return isDeepStrictEqual(claims, ["green"]);
      },
      { what: "only the volume that is kept", detail: () => claims.join(), timeout: patience },
    );
  });
});
