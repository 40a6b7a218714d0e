import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Cluster } from "@rookery/api";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import { clusters, configMaps, machines, resourceSets, secrets } from "./core-resources.ts";
import { CoreWorld } from "./core-world.ts";
import { createReadyCluster, endpoint, referenceTo } from "./parts.ts";
import { definitionOf, testCluster } from "./provider-kinds.ts";
import type { Scene } from "./scene.ts";

const identity: Resource = {
  ...testCluster,
  kind: "TestIdentity",
  plural: "testidentities",
  singular: "testidentity",
  namespaced: false,
};
const { roleBindings } = builtInResources;
const timeout = 60_000;

/** The core with the rights of its installation, and a tenant who may write objects of Cluster API. */
describe("the core withstands it when", { timeout: 600_000 }, () => {
  const stack = new AsyncDisposableStack();
  let world: CoreWorld;
  let count = 0;

  before(async () => {
    world = stack.use(await CoreWorld.start("own"));
    const definition = definitionOf(identity);
    await world.kubernetes.applyCrd({
      ...definition,
      spec: { ...definition.spec, scope: "Cluster" },
    });
  });
  after(() => stack.disposeAsync());

  const scene = () => world.scene(`attack-${++count}`);
  const messageOf = async (at: Scene, type: string): Promise<string | undefined> => {
    const found = await world.resource(clusters).get({ namespace: at.namespace, name: "c" });
    const conditions = (found as Cluster).status?.conditions ?? [];
    return conditions.find((condition) => condition.type === type)?.message;
  };
  const untilSaid = (at: Scene, type: string, pattern: RegExp) =>
    waitFor(async () => pattern.test((await messageOf(at, type)) ?? ""), {
      what: `the condition ${type} to say ${pattern}`,
      timeout,
    });
  const untilGone = (at: Scene) =>
    waitFor(async () => !(await at.isThere(clusters, "c")), { what: "the cluster to go", timeout });
  const untouched = async (resource: Resource, name: string, namespace?: string) => {
    const key = namespace ? { namespace, name } : { name };
    const { metadata } = await world.resource(resource).get(key);
    assert.equal(metadata.deletionTimestamp, undefined);
    assert.equal(metadata.ownerReferences, undefined);
    assert.equal(metadata.labels?.["cluster.x-k8s.io/cluster-name"], undefined);
  };

  async function connectBy(at: Scene, cluster: object, user: object): Promise<void> {
    const kubeconfig = JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1", ...cluster } }],
      users: [{ name: "u", user }],
    });
    await connectByText(at, kubeconfig);
  }

  async function connectByText(at: Scene, kubeconfig: string): Promise<void> {
    await at.create(secrets, "c-kubeconfig", {
      type: "cluster.x-k8s.io/secret",
      data: { value: Buffer.from(kubeconfig).toString("base64") },
    });
    await at.create(testCluster, "infra", { spec: { controlPlaneEndpoint: endpoint } });
    await at.report(testCluster, "infra", { initialization: { provisioned: true } });
    await at.create(clusters, "c", {
      spec: { infrastructureRef: referenceTo(testCluster, "infra") },
    });
  }

  it("a tenant's kubeconfig names a program to run", async () => {
    const at = await scene();
    const marker = join(tmpdir(), `rookery-attack-${process.pid}`);
    const apiVersion = "client.authentication.k8s.io/v1";
    const exec = { apiVersion, command: "touch", args: [marker], interactiveMode: "Never" };
    await connectBy(at, {}, { exec });
    await untilSaid(
      at,
      "RemoteConnectionProbe",
      /field exec .*put the data in|exec.*put the data in/,
    );
    assert.ok(!existsSync(marker));
  });

  for (const [what, cluster, user] of [
    ["the token of the manager", {}, { tokenFile: "/var/run/secrets/kubernetes.io/token" }],
    ["a key in the manager's pod", {}, { "client-certificate": "/a", "client-key": "/b" }],
    ["any file as an authority", { "certificate-authority": "/etc/passwd" }, {}],
  ] as const) {
    it(`a tenant's kubeconfig names ${what} by its path`, async () => {
      const at = await scene();
      await connectBy(at, cluster, user);
      await untilSaid(at, "RemoteConnectionProbe", /only a kubeconfig in a file may name files/);
    });
  }

  it("a tenant's kubeconfig leads to where clouds hand out the node's credentials", async () => {
    const at = await scene();
    await connectBy(at, { server: "https://169.254.169.254/latest/api/token" }, {});
    await untilSaid(at, "RemoteConnectionProbe", /an address of the node's own network/);
  });

  it("a tenant's kubeconfig leads to a service without TLS beside the manager", async () => {
    const at = await scene();
    const requests: IncomingMessage[] = [];
    await using server = await listening(createHttpServer(answering(requests)));
    await connectBy(at, { server: `http://127.0.0.1:${server.port}/shutdown` }, {});
    await untilSaid(at, "RemoteConnectionProbe", /field server.*begins with https:/);
    assert.equal(requests.length, 0);
  });

  it("a tenant's server without credentials of its own waits for those of the manager", async () => {
    const at = await scene();
    const requests: IncomingMessage[] = [];
    await using inside = await listening(createHttpServer(answering(requests)));
    const seen: IncomingMessage[] = [];
    const location = `http://127.0.0.1:${inside.port}/`;
    await using server = await listening(await tlsServer(answering(seen, 302, { location })));
    const insecure = { "insecure-skip-tls-verify": true };
    await connectBy(at, { server: `https://127.0.0.1:${server.port}`, ...insecure }, {});
    await waitFor(() => seen.length > 0, { what: "the core to ask that server", timeout });
    for (const { headers } of seen) {
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["impersonate-user"], undefined);
    }
    assert.equal(requests.length, 0, "no redirect is followed");
  });

  it("a tenant's kubeconfig is a mebibyte of aliases", async () => {
    const at = await scene();
    await connectByText(at, `a: &a [${"x,".repeat(100)}]\nb: [${"*a,".repeat(200_000)}]`);
    await untilSaid(at, "RemoteConnectionProbe", /larger than 64 KiB/);
  });

  it("a tenant names a cluster-scoped identity as the infrastructure of a Cluster", async () => {
    const at = await scene();
    await at.create(identity, "gold");
    await at.create(clusters, "c", { spec: { infrastructureRef: referenceTo(identity, "gold") } });
    await untilSaid(at, "InfrastructureReady", /it is cluster-scoped/);
    await at.remove(clusters, "c");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await untouched(identity, "gold");
  });

  it("a tenant names a RoleBinding as the infrastructure of a Cluster", async () => {
    const at = await scene();
    const { group: apiGroup } = roleBindings;
    await at.create(roleBindings, "admins", {
      roleRef: { apiGroup, kind: "ClusterRole", name: "view" },
    });
    const infrastructureRef = referenceTo(roleBindings, "admins");
    await at.create(clusters, "c", { spec: { infrastructureRef } });
    await untilSaid(at, "InfrastructureReady", /it has no CustomResourceDefinition/);
    await at.remove(clusters, "c");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await untouched(roleBindings, "admins", at.namespace);
  });

  it("a tenant names a Machine as the infrastructure of a Cluster", async () => {
    const at = await scene();
    await at.create(machines, "m", {
      spec: {
        clusterName: "other",
        bootstrap: { dataSecretName: "data" },
        infrastructureRef: referenceTo(testCluster, "infra"),
      },
    });
    await at.create(clusters, "c", { spec: { infrastructureRef: referenceTo(machines, "m") } });
    await untilSaid(at, "InfrastructureReady", /it is one of Cluster API itself/);
    await at.remove(clusters, "c");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await untouched(machines, "m", at.namespace);
  });

  it("a Cluster names the infrastructure of another Cluster, and is deleted", async () => {
    const at = await scene();
    const infrastructureRef = referenceTo(testCluster, "infra");
    await at.create(testCluster, "infra");
    await at.create(clusters, "victim", { spec: { infrastructureRef } });
    const owners = async () => {
      const key = { namespace: at.namespace, name: "infra" };
      const { metadata } = await world.resource(testCluster).get(key);
      return (metadata.ownerReferences ?? []).map(({ name }) => name);
    };
    await waitFor(async () => (await owners()).length > 0, { what: "the victim's part", timeout });
    await at.create(clusters, "c", { spec: { infrastructureRef } });
    await untilSaid(at, "InfrastructureReady", /it belongs to Cluster victim; name another one/);
    await at.remove(clusters, "c");
    await untilGone(at);
    assert.deepEqual(await owners(), ["victim"]);
    assert.ok(await at.isThere(testCluster, "infra"));
  });

  const aSet = (at: Scene, resource: { kind: string; name: string }) =>
    at.create(resourceSets, "s", {
      spec: {
        strategy: "ApplyOnce",
        clusterSelector: { matchLabels: { addons: "yes" } },
        resources: [resource, { kind: "ConfigMap", name: "honest" }],
      },
    });
  const manifest = (at: Scene, name: string) => {
    const metadata = { name, namespace: at.namespace };
    return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata });
  };

  it("a ClusterResourceSet names a ConfigMap of another namespace by a path", async () => {
    const other = await scene();
    await other.create(configMaps, "prey", { data: { a: manifest(other, "stolen") } });
    const at = await scene();
    await createReadyCluster(at, { addons: "yes" });
    const name = `../../${other.namespace}/configmaps/prey`;
    await aSet(at, { kind: "ConfigMap", name });
    await untilCondition(at, /check controller logs/);
    assert.ok(!(await other.isThere(configMaps, "stolen")));
    await untouched(configMaps, "prey", other.namespace);
  });

  it("a ClusterResourceSet names a Secret that was not made for it", async () => {
    const at = await scene();
    await createReadyCluster(at, { addons: "yes" });
    const a = Buffer.from(manifest(at, "stolen")).toString("base64");
    await at.create(secrets, "prey", { type: "Opaque", data: { a } });
    await aSet(at, { kind: "Secret", name: "prey" });
    await untilCondition(at, /Secret type of resource prey is not supported/);
    assert.ok(!(await at.isThere(configMaps, "stolen")));
    await untouched(secrets, "prey", at.namespace);
  });

  async function untilCondition(at: Scene, pattern: RegExp): Promise<void> {
    const said = async () => {
      const set = await world.resource(resourceSets).get({ namespace: at.namespace, name: "s" });
      return JSON.stringify((set as KubeObject & { status?: object }).status ?? {});
    };
    const what = `the set to say ${pattern}`;
    await waitFor(async () => pattern.test(await said()), { what, timeout });
  }
});

function answering(requests: IncomingMessage[], status = 200, headers = {}) {
  return (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    response.writeHead(status, headers).end("{}");
  };
}

async function tlsServer(handler: ReturnType<typeof answering>): Promise<Server> {
  const authority = await createCertificateAuthority({ commonName: "a", lifetimeSeconds: 3600 });
  const names = { commonName: "a", ipAddresses: ["127.0.0.1"] };
  const leaf = await authority.issue({ ...names, usages: ["server"], lifetimeSeconds: 3600 });
  return createHttpsServer({ cert: leaf.certificate, key: leaf.key }, handler);
}

async function listening(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        (server as ReturnType<typeof createHttpServer>).closeAllConnections();
      }),
  };
}
