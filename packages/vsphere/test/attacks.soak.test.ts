import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { VSphereCluster, VSphereClusterIdentity, VSphereVM } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { createHttpServer } from "@rookery/http";
import { getCondition, type KubeObject, ownerReferenceTo } from "@rookery/kube";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";
import {
  clusterApiSource,
  createTemporaryFolder,
  type Kubernetes,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { machineOn } from "./before-servers.ts";
import { coreResources } from "./core-user.ts";
import {
  accountKubeconfig,
  installComponents,
  startInstalled,
  systemNamespace,
} from "./installation.ts";
import { makeOwnedMachine, sayAsCore } from "./owned-machine.ts";
import { type RecordingVCenter, recordCalls } from "./recording-vcenter.ts";
import { RunningManager } from "./running-manager.ts";
import { adminClient, clusters, machines, People, patience, secrets } from "./running-provider.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const rbac = "rbac.authorization.k8s.io";
const tenant = "mallory";

/**
 * The manager runs as it ships, with its own account and no webhook in the way. The tenant is a workload
 * cluster operator of one namespace, and may write VSphereClusters, but no Secrets, beside the manager.
 */
describe("no attack of a tenant on a shared vSphere controller succeeds", { skip }, () => {
  let kubernetes: Kubernetes;
  let admin: Client;
  let mallory: Client;
  let people: People;
  let tenants: People;
  let good: Simulator;
  let evil: RecordingVCenter;
  let folder: TemporaryFolder;
  let manager: RunningManager;
  let victim: VSphereVM;
  const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;
  const open = { kind: "VSphereClusterIdentity", name: "open" } as const;
  const own = (name: string) => ({ kind: "Secret", name }) as const;
  const at = ({ server, thumbprint }: Pick<Simulator, "server" | "thumbprint">) => ({
    server,
    thumbprint,
  });

  before(async () => {
    const accounts = { observer: "observer", shared: "hush-shared", open: "hush-open", own: "own" };
    [kubernetes, good, folder] = await Promise.all([
      startInstalled(/^(clusters|machines)\./),
      startSimulator({ accounts }),
      createTemporaryFolder("vsphere-attacks"),
    ]);
    // A vCenter of the tenant says whatever they like: that machines of others are theirs.
    evil = await recordCalls(good, (answer) => answer.replaceAll(">victim<", `>${tenant}<`));
    admin = await adminClient(kubernetes);
    people = new People(admin);
    const own = { VSPHERE_USERNAME: "controller", VSPHERE_PASSWORD: "hush-controller" };
    await installComponents(admin, { ...own, VSPHERE_SERVER: good.server });
    await prepare();
    await writeFile(join(folder.path, "ca.crt"), good.ca);
    manager = await RunningManager.start({
      kubeconfig: await accountKubeconfig(kubernetes),
      namespace: systemNamespace,
      log: join(folder.path, "manager.log"),
      args: [
        `--vcenter-ca-file=${join(folder.path, "ca.crt")}`,
        `--vcenter-server=${good.server}`,
        "--tenant-network=127.0.0.1/32:*",
      ],
    });
    await people.clusterIs("victim", "a", "Available");
    await people.makeMachine("victim", "prey", {});
    victim = await people.machineIs("victim", "prey", "WaitingForAddress");
    await tenants.clusterIs(tenant, "a", "Available");
  });
  after(async () => {
    await manager?.[Symbol.asyncDispose]();
    await Promise.all([admin.destroy(), mallory.destroy()]);
    await evil[Symbol.asyncDispose]();
    await Promise.all([kubernetes, good, folder].map((one) => one[Symbol.asyncDispose]()));
  });

  const passwords = () => evil.calls.map(({ body }) => body).join("\n");
  const refused = async (name: string, spec: VSphereCluster["spec"], reason: string) => {
    await tenants.makeCluster(tenant, name, spec);
    const { status } = await tenants.clusterIs(tenant, name, reason);
    assert.notEqual(status?.ready, true);
    return getCondition(status?.conditions, "Ready")?.message ?? "";
  };

  describe("passwords", () => {
    it("a tenant gets the password of an identity by a new cluster on a server of theirs, with an identity that names no servers", async () => {
      const message = await refused("new", { ...at(evil), identityRef: open }, "ServerNotAllowed");
      assert.match(message, /--vcenter-server=/);
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by changing the server of a cluster that runs with such an identity", async () => {
      await tenants.makeCluster(tenant, "runs", { ...at(good), identityRef: open });
      await tenants.clusterIs(tenant, "runs", "Available");
      await tenants.changeCluster(tenant, "runs", at(evil));
      await tenants.clusterIs(tenant, "runs", "ServerNotAllowed");
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by a cluster that says of itself that it was connected before", async () => {
      const kept = { server: evil.server, as: "VSphereClusterIdentity/open/", kept: true };
      const condition = {
        type: "VCenterAvailable",
        status: "True",
        reason: "Available",
        message: "",
        observedGeneration: 1,
        lastTransitionTime: new Date().toISOString(),
      } as const;
      await tenants.makeCluster(tenant, "forged", { ...at(evil), identityRef: open });
      const key = { namespace: tenant, name: "forged" };
      const patch = {
        metadata: { annotations: { "rookery/connection": JSON.stringify(kept) } },
        status: { connection: kept, conditions: [condition], ready: true },
      };
      // The main resource takes no status, and the tenant may not write the status itself.
      await mallory.resource(clusters).patch(key, { type: "merge", patch });
      await assert.rejects(mallory.resource(clusters).status.patch(key, { type: "merge", patch }));
      await tenants.clusterIs(tenant, "forged", "ServerNotAllowed");
      assert.equal((await tenants.cluster(tenant, "forged")).status?.connection, undefined);
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by a machine that names a server of theirs", async () => {
      await tenants.makeMachine(tenant, "elsewhere", at(evil));
      await tenants.machineIs(tenant, "elsewhere", "ServerNotAllowed");
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by a machine that Cluster API makes from a template with a server of theirs", async () => {
      const status = { initialization: { infrastructureProvisioned: true } };
      await sayAsCore(admin, coreResources.clusters, { namespace: tenant, name: "a", status });
      const machine = { namespace: tenant, name: "made", cluster: "a", spec: at(evil) };
      await makeOwnedMachine(mallory, machine);
      await tenants.machineIs(tenant, "made", "ServerNotAllowed");
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by the name of a server that only looks like one that is listed", async () => {
      const names = [
        ...[`${good.server}@${evil.server}`, `${evil.server}#${good.server}`],
        ...[`${evil.server}/${good.server}`, `${good.server}.`, `${evil.server},${good.server}`],
      ];
      for (const [index, server] of names.entries()) {
        await refused(
          `like-${index}`,
          { ...at(evil), server, identityRef: open },
          "ServerNotAllowed",
        );
      }
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by naming its Secret in a cluster beside the manager", async () => {
      await tenants.makeCluster(systemNamespace, "beside", {
        ...at(evil),
        identityRef: own("open"),
      });
      await tenants.clusterIs(systemNamespace, "beside", "SecretAlreadyInUse");
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity by naming its Secret before the identity is there", async () => {
      await people.makeSecret(systemNamespace, "late", { username: "own", password: "hush-late" });
      await tenants.makeCluster(systemNamespace, "early", {
        ...at(evil),
        identityRef: own("late"),
      });
      await tenants.clusterIs(systemNamespace, "early", "SecretNotAllowed");
      await people.makeIdentity("late", { secretName: "late", allowedNamespaces: {} });
      await people.identityIs("late", "Ready");
      await tenants.changeCluster(systemNamespace, "early", at(good));
      await tenants.clusterIs(systemNamespace, "early", "SecretAlreadyInUse");
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of the controller by naming its Secret in a cluster beside it", async () => {
      const identityRef = own("capv-manager-credentials");
      await tenants.makeCluster(systemNamespace, "inner", { ...at(evil), identityRef });
      await tenants.clusterIs(systemNamespace, "inner", "SecretNotAllowed");
      assert.doesNotMatch(passwords(), /hush-/);
    });

    it("a tenant gets the password of an identity that takes the Secret of a cluster", async () => {
      const labels = { "cluster.x-k8s.io/cluster-name": "labelled" };
      await people.makeSecret(systemNamespace, "labelled", { username: "own", password: "own" });
      const key = { namespace: systemNamespace, name: "labelled" };
      await admin.resource(secrets).patch(key, { type: "merge", patch: { metadata: { labels } } });
      await tenants.makeCluster(systemNamespace, "labelled", {
        ...at(good),
        identityRef: own("labelled"),
      });
      await tenants.clusterIs(systemNamespace, "labelled", "Available");
      await people.makeIdentity("greedy", { secretName: "labelled", allowedNamespaces: {} });
      await people.identityIs("greedy", "SecretAlreadyInUse");
      await tenants.makeCluster(tenant, "greedy", {
        ...at(good),
        identityRef: { kind: "VSphereClusterIdentity", name: "greedy" },
      });
      await tenants.clusterIs(tenant, "greedy", "IdentityNotReady");
      const annotations = { look: "again" };
      const patch = { metadata: { annotations } };
      await admin.resource(clusters).patch(key, { type: "merge", patch });
      await tenants.clusterIs(systemNamespace, "labelled", "Available");
    });
  });

  it("a tenant shares the Secret of an identity by naming it in the same moment", async () => {
    for (const name of ["race-0", "race-1", "race-2", "race-3", "race-4"]) {
      const labels = { "cluster.x-k8s.io/cluster-name": name };
      await people.makeSecret(systemNamespace, name, { username: "own", password: "own" });
      const key = { namespace: systemNamespace, name };
      await admin.resource(secrets).patch(key, { type: "merge", patch: { metadata: { labels } } });
      await Promise.all([
        tenants.makeCluster(systemNamespace, name, { ...at(good), identityRef: own(name) }),
        people.makeIdentity(name, { secretName: name, allowedNamespaces: {} }),
      ]);
      const owners = await waitFor(
        async () => {
          const { metadata } = await admin.resource<KubeObject>(secrets).get(key);
          const cluster = await people.cluster(systemNamespace, name);
          const isRefused = readyReason(cluster) === "SecretAlreadyInUse";
          const isTaken = readyReason(await people.identity(name)) === "SecretAlreadyInUse";
          return isRefused !== isTaken && metadata.ownerReferences;
        },
        { what: "one of the two to have the Secret", timeout: patience },
      );
      assert.equal(owners.length, 1, JSON.stringify(owners));
    }
  });

  it("a tenant blocks an honest identity by owners of its Secret that they make up", async () => {
    const namespaces = [systemNamespace, tenant];
    for (const namespace of namespaces) {
      const ownerReferences = [
        {
          apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
          kind: "VSphereCluster",
          name: "nobody",
          uid: "made-up",
        },
      ];
      await admin.resource<KubeObject>(secrets).create({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { namespace, name: "honest", ownerReferences },
        stringData: { username: "own", password: "own" },
      } as KubeObject);
    }
    await people.makeIdentity("honest", { secretName: "honest", allowedNamespaces: {} });
    await people.identityIs("honest", "Ready");
  });

  describe("the network of the manager", () => {
    it("a tenant learns what is in the manager's network by naming servers at closed addresses", async () => {
      await using closed = await listen("127.0.0.3");
      await makeOwnSecret("closed");
      const { port } = closed;
      const servers = [
        ...[`127.0.0.3:${port}`, `[::ffff:127.0.0.3]:${port}`, `2130706435:${port}`],
        ...[`localhost:${port}`, "169.254.169.254", "[::1]", "0.0.0.0"],
        ...["kubernetes.default.svc", "kubernetes.default.svc.cluster.local:443"],
      ];
      await tenants.makeCluster(tenant, "closed", { identityRef: own("closed") });
      for (const server of servers) {
        await tenants.changeCluster(tenant, "closed", { server, thumbprint: evil.thumbprint });
        await says(server, "ServerNotAllowed");
      }
      assert.equal(closed.connections(), 0);
    });

    it("a tenant learns what is in the manager's network by comparing the conditions of several hosts", async () => {
      await using silent = await listen("127.0.0.1");
      await using other = await httpsServer(() => ({ status: 200, headers: {}, body: hint }));
      await makeOwnSecret("scan");
      const said = new Set<string>();
      const wrong = "AB".repeat(20);
      const targets = [
        { server: evil.server, thumbprint: wrong },
        { server: other.server, thumbprint: wrong },
        { server: other.server, thumbprint: other.thumbprint },
        { server: `127.0.0.1:${silent.port}`, thumbprint: wrong },
        { server: "127.0.0.1:1", thumbprint: wrong },
      ];
      for (const [index, target] of targets.entries()) {
        await makeOwnSecret(`scan-${index}`);
        const spec = { ...target, identityRef: own(`scan-${index}`) };
        const message = await refused(`scan-${index}`, spec, "VCenterUnreachable");
        said.add(message.replace(target.server, "it"));
        assert.doesNotMatch(message, /hush|ECONN|HTTP|certificate/);
      }
      assert.equal(said.size, 1, [...said].join("\n"));
    });

    it("a tenant learns what is in the manager's network by a thumbprint that does not match", async () => {
      const thumbprint = "AB".repeat(20);
      await makeOwnSecret("print");
      const spec = { server: good.server, thumbprint, identityRef: own("print") };
      const message = await refused("print", spec, "ThumbprintMismatch");
      assert.ok(!message.includes(good.thumbprint), message);
      const lines = await manager.lines();
      assert.ok(lines.some(({ error = "" }) => error.includes(good.thumbprint)));
    });

    it("a tenant learns what is in the manager's network by a server of theirs that redirects the manager", async () => {
      await using inner = await listen("127.0.0.1");
      const location = `https://127.0.0.1:${inner.port}/latest/meta-data`;
      await using sender = await httpsServer(() => ({
        status: 307,
        headers: { location },
        body: hint,
      }));
      await makeOwnSecret("sent");
      const { server, thumbprint } = sender;
      const spec = { server, thumbprint, identityRef: own("sent") };
      await refused("sent", spec, "VCenterUnreachable");
      assert.equal(inner.connections(), 0);
    });
  });

  describe("machines of others", () => {
    const intact = async () => {
      const found = await machineOn(good, victim.spec.biosUUID ?? "");
      assert.match(found?.text ?? "", /rookery\.namespace.{0,200}victim/);
      assert.match(found?.text ?? "", /poweredOn/);
      const { spec } = await people.machineIs("victim", "prey", "WaitingForAddress");
      assert.equal(spec.biosUUID, victim.spec.biosUUID);
    };

    it("a tenant reaches the machine of another who shares the account by naming its UUID, to change or to delete it", async () => {
      const { biosUUID = "" } = victim.spec;
      await tenants.makeMachine(tenant, "thief", { biosUUID });
      await tenants.machineIs(tenant, "thief", "NotAdopted");
      await mallory.resource(machines).delete({ namespace: tenant, name: "thief" });
      await deletionIsRefused("thief");
      await intact();
    });

    it("a tenant reaches the machine of another who shares the account by naming its UUID on an object that has a machine of its own", async () => {
      await tenants.makeMachine(tenant, "mine", {});
      const { spec } = await tenants.machineIs(tenant, "mine", "WaitingForAddress");
      const patch = { spec: { biosUUID: victim.spec.biosUUID } };
      const key = { namespace: tenant, name: "mine" };
      await mallory.resource(machines).patch(key, { type: "merge", patch });
      await waitFor(
        async () => (await tenants.virtualMachine(tenant, "mine")).spec.biosUUID === spec.biosUUID,
        { what: "the UUID to be corrected", timeout: patience },
      );
      await intact();
    });

    it("a tenant reaches the machine of another who shares the account by cloning it, under its name, its path or its UUID", async () => {
      const templates = ["prey", "/DC0/vm/prey", victim.spec.biosUUID ?? "", victim.metadata.uid];
      for (const [index, template = ""] of templates.entries()) {
        await tenants.makeMachine(tenant, `clone-${index}`, { template });
        const vm = await tenants.machineIs(tenant, `clone-${index}`, "PlacementNotFound");
        const { message = "" } = getCondition(vm.status?.conditions, "Ready") ?? {};
        assert.match(message, /of another namespace/);
      }
      await intact();
    });

    it("a tenant reaches the machine of another who shares the account by a vCenter of theirs that calls it theirs, before they turn to the shared one", async () => {
      await makeOwnSecret("turn");
      await tenants.makeCluster(tenant, "turn", { ...at(evil), identityRef: own("turn") });
      await tenants.clusterIs(tenant, "turn", "Available");
      const labels = { "cluster.x-k8s.io/cluster-name": "turn" };
      await tenants.makeMachine(tenant, "turned", { biosUUID: victim.spec.biosUUID ?? "" });
      const key = { namespace: tenant, name: "turned" };
      await mallory
        .resource(machines)
        .patch(key, { type: "merge", patch: { metadata: { labels } } });
      // There it is taken for theirs: it is their vCenter, and their account.
      await tenants.machineIs(tenant, "turned", "WaitingForAddress");
      await tenants.changeCluster(tenant, "turn", { ...at(good), identityRef: shared });
      await tenants.clusterIs(tenant, "turn", "Available");
      await tenants.machineIs(tenant, "turned", "NotAdopted");
      assert.equal((await tenants.virtualMachine(tenant, "turned")).status?.vmRef, undefined);
      await mallory.resource(machines).delete(key);
      await deletionIsRefused("turned");
      await intact();
    });

    it("a tenant reaches the machine of another who shares the account by an owner reference to the other's Cluster", async () => {
      const owner = await admin
        .resource<KubeObject>(coreResources.clusters)
        .get({ namespace: "victim", name: "a" });
      await mallory.resource<VSphereCluster>(clusters).create({
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        kind: "VSphereCluster",
        metadata: {
          namespace: tenant,
          name: "adopted",
          ownerReferences: [{ ...ownerReferenceTo(owner), name: "only-there" }],
        },
        spec: { ...at(good), identityRef: shared },
      });
      await tenants.clusterIs(tenant, "adopted", "WaitingForOwner");
      await intact();
    });

    it("a tenant reaches the machine of another who shares the account by starting a machine with the bootstrap data of another namespace", async () => {
      const bootstrapRef = { apiVersion: "v1", kind: "Secret", namespace: "victim", name: "prey" };
      await tenants.makeMachine(tenant, "reads", { bootstrapRef });
      await tenants.machineIs(tenant, "reads", "WaitingForBootstrapData");
    });
  });

  it("a tenant disturbs an honest neighbour by all of these attacks", async () => {
    await people.clusterIs("victim", "a", "Available");
    assert.doesNotMatch(passwords(), /hush-/);
    assert.match(passwords(), /<password>own<\/password>/);
  });

  const hint = Buffer.from("hush-internal: root:x:0:0");

  async function says(server: string, reason: string): Promise<void> {
    await waitFor(
      async () => {
        const { status } = await tenants.cluster(tenant, "closed");
        const ready = getCondition(status?.conditions, "Ready");
        return ready?.reason === reason && ready.message.includes(server);
      },
      { what: `${server} to be ${reason}`, timeout: patience },
    );
  }

  /** A deletion is a new generation, of which the condition says something once it was looked at. */
  async function deletionIsRefused(name: string): Promise<void> {
    await waitFor(
      async () => {
        const { metadata, status } = await tenants.virtualMachine(tenant, name);
        const ready = getCondition(status?.conditions, "Ready");
        const isSeen = ready?.observedGeneration === metadata.generation;
        return metadata.deletionTimestamp && isSeen && ready?.reason === "NotAdopted";
      },
      { what: `the deletion of ${name} to be refused`, timeout: patience },
    );
  }

  function makeOwnSecret(name: string): Promise<void> {
    return tenants.makeSecret(tenant, name, { username: "own", password: "own" });
  }

  async function prepare(): Promise<void> {
    for (const name of [tenant, "victim"]) await people.makeNamespace(name);
    const { kubeconfig } = await kubernetes.user({ name: tenant });
    mallory = createClient(await loadConfig({ path: kubeconfig }));
    tenants = new People(mallory);
    await grant("capv-workload-cluster-operator", tenant);
    await grantBeside();
    for (const name of ["shared", "open"]) {
      const account = { username: name, password: `hush-${name}` };
      await people.makeSecret(systemNamespace, name, account);
    }
    const allowedServers = [good.server];
    await people.makeIdentity("shared", {
      secretName: "shared",
      allowedServers,
      allowedNamespaces: { list: [tenant, "victim", systemNamespace] },
    });
    await people.makeIdentity("open", { secretName: "open", allowedNamespaces: {} });
    await people.makeCluster("victim", "a", { ...at(good), identityRef: shared });
    await waitFor(() => mallory.resource(secrets).list({ namespace: tenant }), {
      what: "the tenant to have their rights",
      timeout: patience,
    });
    await tenants.makeCluster(tenant, "a", { ...at(good), identityRef: shared });
  }

  async function grant(role: string, namespace: string): Promise<void> {
    const binding: KubeObject = {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { namespace, name: role },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
      subjects: [{ apiGroup: rbac, kind: "User", name: tenant }],
    } as KubeObject;
    await (await admin.kind<KubeObject>(binding)).create(binding);
  }

  /** Clusters in the namespace of the manager, and no Secrets there. */
  async function grantBeside(): Promise<void> {
    const verbs = ["get", "create", "patch"];
    const role: KubeObject = {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "beside" },
      rules: [
        { apiGroups: ["infrastructure.cluster.x-k8s.io"], resources: ["vsphereclusters"], verbs },
        { apiGroups: ["cluster.x-k8s.io"], resources: ["clusters"], verbs },
      ],
    } as KubeObject;
    await (await admin.kind<KubeObject>(role)).create(role);
    await grant("beside", systemNamespace);
  }
});

function readyReason({ status }: Pick<VSphereCluster | VSphereClusterIdentity, "status">) {
  return getCondition(status?.conditions, "Ready")?.reason;
}

interface Listener extends AsyncDisposable {
  readonly port: number;
  connections(): number;
}

/** Takes connections, counts them, and says nothing. */
async function listen(host: string): Promise<Listener> {
  let count = 0;
  const server: Server = createServer((socket) => {
    count += 1;
    socket.on("error", () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    connections: () => count,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An HTTPS server that is no vCenter. */
async function httpsServer(
  handler: Parameters<typeof createHttpServer>[0]["handler"],
): Promise<AsyncDisposable & { readonly server: string; readonly thumbprint: string }> {
  const authority = await createCertificateAuthority({ commonName: "hush-internal" });
  const issued = await authority.issue({
    commonName: "hush-internal",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const server = createHttpServer({
    tls: { cert: issued.certificate, key: issued.key },
    handler,
    onError: () => {},
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    server: `127.0.0.1:${server.address.port}`,
    thumbprint: parseCertificate(issued.certificate).fingerprints.sha1,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
