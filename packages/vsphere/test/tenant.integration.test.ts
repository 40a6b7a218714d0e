import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereCluster } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { isForbidden, type KubeObject } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { coreResources } from "./core-user.ts";
import { installComponents, startInstalled, systemNamespace } from "./installation.ts";
import { makeOwnedMachine, sayAsCore } from "./owned-machine.ts";
import { clusters, identities, virtualMachines } from "./provider-resources.ts";
import { type RecordingVCenter, recordCalls } from "./recording-vcenter.ts";
import {
  adminClient,
  namespaces,
  People,
  patience,
  RunningProvider,
  secrets,
} from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const tenant = "mallory";
/** What no server of the tenant may ever be sent. */
const passwords = { controller: "hush-own", shared: "hush-shared", foreign: "hush-foreign" };

const apiGroup = "rbac.authorization.k8s.io";

/** Of a role to the tenant; in a namespace where one is named. */
function binding(role: string, metadata: { name: string; namespace?: string }): KubeObject {
  const object = {
    apiVersion: `${apiGroup}/v1`,
    kind: metadata.namespace ? "RoleBinding" : "ClusterRoleBinding",
    metadata,
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup, kind: "User", name: tenant }],
  };
  return object;
}

/**
 * The tenant has exactly what the proposal's table gives to workload cluster operators, in one
 * namespace, and no webhook stands in the way: what is refused here, the controllers refuse.
 */
describe("a tenant who wants another's account", { skip }, () => {
  let kubernetes: Kubernetes;
  let admin: Client;
  let mallory: Client;
  let people: People;
  let tenants: People;
  let good: Simulator;
  let evil: RecordingVCenter;
  let provider: RunningProvider;

  before(async () => {
    const accounts = { observer: "observer", ...passwords, [tenant]: "own" };
    [kubernetes, good] = await Promise.all([
      startInstalled(/^(clusters|machines)\./),
      startSimulator({ accounts }),
    ]);
    evil = await recordCalls(good);
    admin = await adminClient(kubernetes);
    people = new People(admin);
    await installComponents(admin);
    await makeIdentities();
    const { kubeconfig } = await kubernetes.user({ name: tenant });
    mallory = createClient(await loadConfig({ path: kubeconfig }));
    tenants = new People(mallory);
    await grant();
    const own = { username: "controller", password: passwords.controller, servers: [good.server] };
    provider = await RunningProvider.start(kubernetes, {
      credentialsNamespace: systemNamespace,
      ca: good.ca,
      own: { read: async () => own, servers: async () => own.servers },
    });
    await tenants.makeCluster(tenant, "a", { ...at(good), identityRef: shared });
    await tenants.clusterIs(tenant, "a", "Available");
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await Promise.all([admin.destroy(), mallory.destroy()]);
    await evil[Symbol.asyncDispose]();
    await Promise.all([kubernetes, good].map((one) => one[Symbol.asyncDispose]()));
  });

  const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;
  const foreign = { kind: "VSphereClusterIdentity", name: "foreign" } as const;
  const at = ({ server, thumbprint }: Pick<Simulator, "server" | "thumbprint">) => ({
    server,
    thumbprint,
  });
  const forbidden = (work: Promise<unknown>) => assert.rejects(work, (error) => isForbidden(error));

  describe("may not", () => {
    const merge = (patch: object) => ({ type: "merge", patch }) as const;
    const escalation = binding("capv-management-cluster-operator", { name: "mine" });
    const attempts: Record<string, () => Promise<unknown>> = {
      "make an identity": () => tenants.makeIdentity("mine", { secretName: "shared" }),
      "open an identity to their namespace": () =>
        mallory
          .resource(identities)
          .patch({ name: "foreign" }, merge({ spec: { allowedNamespaces: {} } })),
      "open an identity to their server": () =>
        mallory
          .resource(identities)
          .patch({ name: "shared" }, merge({ spec: { allowedServers: null } })),
      "say that an identity is ready": () =>
        mallory
          .resource(identities)
          .status.patch({ name: "foreign" }, merge({ status: { ready: true } })),
      "label their namespace as another's": () =>
        mallory
          .resource(namespaces)
          .patch({ name: tenant }, merge({ metadata: { labels: { team: "trusted" } } })),
      "give themselves the role of an operator": () =>
        mallory.kind<KubeObject>(escalation).then((bindings) => bindings.create(escalation)),
      "make a namespace": () => tenants.makeNamespace("trusted"),
      "read the Secret of an identity": () =>
        mallory.resource(secrets).get({ namespace: systemNamespace, name: "shared" }),
      "replace the Secret of an identity": () =>
        tenants.makeSecret(systemNamespace, "shared", { username: "x", password: "y" }),
      "list all Secrets": () => mallory.resource(secrets).list(),
      "make a cluster in the namespace of another": () => tenants.makeCluster("victim", "b", {}),
      "write the status of their own cluster": () =>
        mallory
          .resource(clusters)
          .status.patch({ namespace: tenant, name: "a" }, merge({ status: { ready: true } })),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      it(what, () => forbidden(attempt()));
    }
  });

  describe("gets nothing from a cluster", () => {
    const table: Record<string, [() => VSphereCluster["spec"], reason: string]> = {
      "with the identity of others": [
        () => ({ ...at(good), identityRef: foreign }),
        "NamespaceNotAllowed",
      ],
      "with the identity of others, on a server of their own": [
        () => ({ ...at(evil), identityRef: foreign }),
        "NamespaceNotAllowed",
      ],
      "with an identity for them, on a server of their own": [
        () => ({ ...at(evil), identityRef: shared }),
        "ServerNotAllowed",
      ],
      "with an identity for them, on a server that only looks like another": [
        () => ({ ...at(evil), server: `${good.server}@${evil.server}`, identityRef: shared }),
        "ServerNotAllowed",
      ],
      "with an identity for them, on a server with more behind it": [
        () => ({ ...at(evil), server: `${evil.server}#${good.server}`, identityRef: shared }),
        "ServerNotAllowed",
      ],
      "with an identity for them, and no server": [
        () => ({ identityRef: shared }),
        "ServerNotAllowed",
      ],
      "with the controller's own account, on a server of their own": [
        () => at(evil),
        "ServerNotAllowed",
      ],
      "with the Secret of an identity, which is in another namespace": [
        () => ({ ...at(evil), identityRef: { kind: "Secret", name: "shared" } }),
        "SecretNotAvailable",
      ],
      "with a Secret named by its namespace, too": [
        () => ({ ...at(evil), identityRef: { kind: "Secret", name: `${systemNamespace}/shared` } }),
        "SecretNotAvailable",
      ],
    };
    for (const [what, [spec, reason]] of Object.entries(table)) {
      it(what, async () => {
        const name = what.replaceAll(/[^a-z]+/g, "-").slice(0, 60);
        await tenants.makeCluster(tenant, name, spec());
        const cluster = await tenants.clusterIs(tenant, name, reason);
        assert.notEqual(cluster.status?.ready, true);
        assert.deepEqual(evil.calls, []);
      });
    }

    it("that was allowed until its server was changed", async () => {
      await tenants.changeCluster(tenant, "a", at(evil));
      await tenants.clusterIs(tenant, "a", "ServerNotAllowed");
      await tenants.changeCluster(tenant, "a", { ...at(good), identityRef: foreign });
      await tenants.clusterIs(tenant, "a", "NamespaceNotAllowed");
      await tenants.changeCluster(tenant, "a", { identityRef: shared });
      await tenants.clusterIs(tenant, "a", "Available");
      assert.deepEqual(evil.calls, []);
    });
  });

  describe("gets nothing from a machine", () => {
    it("that Cluster API makes from a template with a server of their own", async () => {
      const status = { initialization: { infrastructureProvisioned: true } };
      await sayAsCore(admin, coreResources.clusters, { namespace: tenant, name: "a", status });
      const machine = { namespace: tenant, name: "templated", cluster: "a", spec: at(evil) };
      await makeOwnedMachine(mallory, machine);
      await tenants.machineIs(tenant, "templated", "ServerNotAllowed");
      assert.deepEqual(evil.calls, []);
    });

    it("of their cluster on a server of their own", async () => {
      await tenants.makeMachine(tenant, "elsewhere", at(evil));
      await tenants.machineIs(tenant, "elsewhere", "ServerNotAllowed");
      assert.deepEqual(evil.calls, []);
    });

    it("whose server is changed when it runs", async () => {
      await tenants.makeMachine(tenant, "runs", {});
      await tenants.machineIs(tenant, "runs", "WaitingForAddress");
      const patch = { type: "merge", patch: { spec: at(evil) } } as const;
      await mallory.resource(virtualMachines).patch({ namespace: tenant, name: "runs" }, patch);
      await tenants.machineIs(tenant, "runs", "ServerNotAllowed");
      assert.deepEqual(evil.calls, []);
    });

    it("of the cluster of another namespace", async () => {
      await people.makeCluster("victim", "only-there", { ...at(good), identityRef: foreign });
      await people.clusterIs("victim", "only-there", "Available");
      await tenants.makeMachine(tenant, "adopted", {});
      const labels = { "cluster.x-k8s.io/cluster-name": "only-there" };
      const patch = { type: "merge", patch: { metadata: { labels } } } as const;
      await mallory.resource(virtualMachines).patch({ namespace: tenant, name: "adopted" }, patch);
      await tenants.machineIs(tenant, "adopted", "WaitingForCluster");
    });

    it("that starts with what is in the namespace of another", async () => {
      const bootstrapRef = { apiVersion: "v1", kind: "Secret", namespace: "victim", name: "data" };
      await tenants.makeMachine(tenant, "reads", { bootstrapRef });
      await tenants.machineIs(tenant, "reads", "WaitingForBootstrapData");
    });
  });

  it("cannot slip in a Secret with the name of an identity's", async () => {
    await tenants.makeSecret(tenant, "shared", { username: "shared", password: "decoy" });
    await tenants.makeCluster(tenant, "decoyed", { ...at(good), identityRef: shared });
    await tenants.clusterIs(tenant, "decoyed", "Available");
    await using vcenter = await observe(good);
    const sessions = (await listSessions(vcenter)).filter(({ userName }) => userName === "shared");
    assert.equal(sessions.length, 1);
  });

  it("can use a server of their own with an account of their own, and that alone arrives", async () => {
    await tenants.makeSecret(tenant, "mine", { username: tenant, password: "own" });
    const identityRef = { kind: "Secret", name: "mine" } as const;
    await tenants.makeCluster(tenant, "mine", { ...at(evil), identityRef });
    await tenants.clusterIs(tenant, "mine", "Available");
    const logins = evil.calls.filter(({ method }) => method === "Login");
    assert.ok(logins.some(({ body }) => body.includes("<password>own</password>")));
    for (const { body } of logins) assert.match(body, /<password>(own|decoy)<\/password>/);
  });

  it("has never been sent a password of others", () => {
    const received = evil.calls.map(({ body }) => body).join("\n");
    assert.doesNotMatch(received, /hush-/);
    assert.match(received, /RetrieveServiceContent/);
  });

  async function makeIdentities(): Promise<void> {
    await people.makeNamespace(tenant);
    await people.makeNamespace("victim", { team: "trusted" });
    for (const name of ["shared", "foreign"] as const) {
      const account = { username: name, password: passwords[name] };
      await people.makeSecret(systemNamespace, name, account);
    }
    const allowedServers = [good.server];
    const trusted = { selector: { matchLabels: { team: "trusted" } } };
    await people.makeIdentity("foreign", {
      secretName: "foreign",
      allowedNamespaces: trusted,
      allowedServers,
    });
    await people.makeIdentity("shared", {
      secretName: "shared",
      allowedNamespaces: { list: [tenant] },
      allowedServers,
    });
    await people.makeSecret("victim", "data", { value: "hush-data" });
    await people.makeCluster("victim", "a", { ...at(good), identityRef: foreign });
  }

  async function grant(): Promise<void> {
    const bindings = [
      binding("capv-workload-cluster-operator", { name: "ops", namespace: tenant }),
      binding("capv-identity-viewer", { name: "viewers" }),
    ];
    for (const object of bindings) {
      await (await admin.kind<KubeObject>(object)).create(object);
    }
    // An API server hears of roles and bindings in its own time.
    await waitFor(() => mallory.resource(clusters).list({ namespace: tenant }), {
      what: "the tenant to have their rights",
      timeout: patience,
    });
  }
});
