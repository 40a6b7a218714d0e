import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import { deepEqual, isNotFound, type KubeObject } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { connectVCenter } from "../src/vim/connect.ts";
import { login } from "../src/vim/session.ts";
import {
  adminClient,
  clusters,
  identities,
  namespaces,
  People,
  RunningProvider,
  secrets,
  startKubernetesWithKinds,
} from "./running-provider.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const system = "vsphere-system";

describe("clusters on vCenters, each as whom it says", { skip }, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let first: Simulator;
  let second: Simulator;
  let provider: RunningProvider;

  before(async () => {
    const accounts = { observer: "observer", controller: "c", shared: "s", team: "t" };
    [kubernetes, first, second] = await Promise.all([
      startKubernetesWithKinds(),
      startSimulator({ accounts }),
      startSimulator({ accounts }),
    ]);
    client = await adminClient(kubernetes);
    people = new People(client);
    await people.makeNamespace(system);
    provider = await RunningProvider.start(kubernetes, {
      credentialsNamespace: system,
      ca: first.ca,
      own: {
        read: async () => ({ username: "controller", password: "c", servers: [first.server] }),
        servers: async () => [first.server],
      },
    });
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await client.destroy();
    await Promise.all([kubernetes, first, second].map((one) => one[Symbol.asyncDispose]()));
  });

  const at = ({ server, thumbprint }: Simulator) => ({ server, thumbprint });
  const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;
  /** How many sessions of a user the vCenter itself counts. */
  const sessionsOf = async ({ server, ca }: Simulator, user: string): Promise<number> => {
    await using vcenter = await connectVCenter({ server, ca });
    await login(vcenter, { username: "observer", password: "observer" });
    return (await listSessions(vcenter)).filter(({ userName }) => userName === user).length;
  };
  const secret = (namespace: string, name: string) =>
    client.resource<KubeObject>(secrets).get({ namespace, name });

  it("story 3: a cluster that names nobody is made with the controller's own credentials", async () => {
    await people.makeNamespace("legacy");
    await people.makeCluster("legacy", "a", { server: first.server });
    const { status } = await people.clusterIs("legacy", "a", "Available");
    assert.equal(status?.ready, true);
    assert.equal(status?.initialization?.provisioned, true);
    assert.match(status?.vCenterVersion ?? "", /^\d/);
    assert.equal(await sessionsOf(first, "controller"), 1);
  });

  it("never sends the controller's credentials to a server that is not its own", async () => {
    await people.makeCluster("legacy", "elsewhere", at(second));
    await people.clusterIs("legacy", "elsewhere", "ServerNotAllowed");
    assert.equal(await sessionsOf(second, "controller"), 0);
  });

  it("story 1: clusters of one controller are on two vCenters with accounts of their own", async () => {
    await people.makeNamespace("alex");
    for (const [name, simulator] of Object.entries({ one: first, two: second })) {
      await people.makeSecret("alex", name, { username: "team", password: "t" });
      const identityRef = { kind: "Secret", name } as const;
      await people.makeCluster("alex", name, { ...at(simulator), identityRef });
    }
    for (const name of ["one", "two"]) {
      const cluster = await people.clusterIs("alex", name, "Available");
      const { metadata } = await secret("alex", name);
      assert.deepEqual(
        metadata.ownerReferences?.map(({ uid }) => uid),
        [cluster.metadata.uid],
      );
    }
    assert.equal(await sessionsOf(first, "team"), 1);
    assert.equal(await sessionsOf(second, "team"), 1);
  });

  it("story 2: one identity serves several namespaces, with one session, and no other namespace", async () => {
    await people.makeSecret(system, "account", { username: "shared", password: "s" });
    await people.makeIdentity("shared", {
      secretName: "account",
      allowedNamespaces: { list: ["stacy-1"], selector: { matchLabels: { team: "stacy" } } },
      allowedServers: [first.server],
    });
    await people.makeNamespace("stacy-1");
    await people.makeNamespace("stacy-2", { team: "stacy" });
    await people.makeNamespace("mallory", { team: "mallory" });
    for (const namespace of ["stacy-1", "stacy-2", "mallory"]) {
      await people.makeCluster(namespace, "a", { ...at(first), identityRef: shared });
    }
    await people.clusterIs("stacy-1", "a", "Available");
    await people.clusterIs("stacy-2", "a", "Available");
    const refused = await people.clusterIs("mallory", "a", "NamespaceNotAllowed");
    assert.notEqual(refused.status?.ready, true);
    assert.equal(await sessionsOf(first, "shared"), 1);
  });

  it("takes an identity away when the label of the namespace goes, and gives it back with it", async () => {
    const relabel = (team: string | null) =>
      client
        .resource(namespaces)
        .patch({ name: "stacy-2" }, { type: "merge", patch: { metadata: { labels: { team } } } });
    await relabel(null);
    const { status } = await people.clusterIs("stacy-2", "a", "NamespaceNotAllowed");
    assert.equal(status?.ready, false);
    assert.equal(status?.initialization?.provisioned, true);
    await relabel("stacy");
    await people.clusterIs("stacy-2", "a", "Available");
  });

  it("never sends a shared password to a server that a tenant chose", async () => {
    await people.changeCluster("stacy-1", "a", at(second));
    await people.clusterIs("stacy-1", "a", "ServerNotAllowed");
    assert.equal(await sessionsOf(second, "shared"), 0);
    await people.changeCluster("stacy-1", "a", at(first));
    await people.clusterIs("stacy-1", "a", "Available");
  });

  it("logs out when nobody may use an identity any more", async () => {
    const allow = (allowedNamespaces: object | null) =>
      client
        .resource(identities)
        .patch({ name: "shared" }, { type: "merge", patch: { spec: { allowedNamespaces } } });
    const { spec } = await client
      .resource<VSphereClusterIdentity>(identities)
      .get({ name: "shared" });
    await allow(null);
    await people.clusterIs("stacy-1", "a", "NamespaceNotAllowed");
    await waitFor(async () => (await sessionsOf(first, "shared")) === 0, { what: "the logout" });
    await allow(spec.allowedNamespaces ?? null);
    await people.clusterIs("stacy-1", "a", "Available");
    await people.clusterIs("stacy-2", "a", "Available");
  });

  it("does not talk to a server with another certificate", async () => {
    const thumbprint = Array(20).fill("00").join(":");
    await people.changeCluster("alex", "one", { thumbprint });
    await people.clusterIs("alex", "one", "ThumbprintMismatch");
    await people.changeCluster("alex", "one", { thumbprint: first.thumbprint });
    await people.clusterIs("alex", "one", "Available");
  });

  it("goes on with a password that is rotated, and logs the old session out", async () => {
    await first.setAccounts({ observer: "observer", controller: "c", shared: "s", team: "new" });
    await people.makeSecret("alex", "one", { username: "team", password: "wrong" });
    await people.clusterIs("alex", "one", "InvalidCredentials");
    await people.makeSecret("alex", "one", { username: "team", password: "new" });
    await people.clusterIs("alex", "one", "Available");
    await waitFor(async () => (await sessionsOf(first, "team")) === 1, { what: "one session" });
  });

  it("says that a Secret is not there, or is another cluster's", async () => {
    await people.changeCluster("alex", "two", { identityRef: { kind: "Secret", name: "none" } });
    const gone = await people.clusterIs("alex", "two", "SecretNotAvailable");
    assert.equal(gone.status?.ready, false);
    await people.changeCluster("alex", "two", { identityRef: { kind: "Secret", name: "one" } });
    await people.clusterIs("alex", "two", "SecretAlreadyInUse");
    await people.makeSecret("alex", "three", { username: "team", password: "t" });
    await people.changeCluster("alex", "two", { identityRef: { kind: "Secret", name: "three" } });
    await people.clusterIs("alex", "two", "Available");
  });

  it("lets go of what a cluster was made as when that is changed", async () => {
    await people.makeNamespace("stacy-3", { team: "stacy" });
    await people.makeSecret("stacy-3", "mine", { username: "team", password: "new" });
    const mine = { kind: "Secret", name: "mine" } as const;
    await people.makeCluster("stacy-3", "a", { ...at(first), identityRef: mine });
    await people.clusterIs("stacy-3", "a", "Available");
    const before = await users();
    await people.changeCluster("stacy-3", "a", { identityRef: shared });
    await waitFor(async () => (await users()) === before + 1, { what: "the identity to be held" });
    await waitFor(async () => !(await secret("stacy-3", "mine")).metadata.ownerReferences?.length, {
      what: "the Secret to be released",
    });
    await people.changeCluster("stacy-3", "a", { identityRef: mine });
    await waitFor(async () => (await users()) === before, { what: "the identity to be released" });
    // The provider may not have heard yet that it was released before.
    await waitFor(
      async () => (await secret("stacy-3", "mine")).metadata.ownerReferences?.length === 1,
      { what: "the Secret to be owned again" },
    );
  });

  it("corrects an identity from which somebody took its users, and on which one is that is none", async () => {
    const key = { name: "shared" };
    const read = () => client.resource<KubeObject>(identities).get(key);
    const { finalizers = [] } = (await read()).metadata;
    const none = "infrastructure.cluster.x-k8s.io/vspherecluster-0123456789abcdef";
    const patch = { metadata: { finalizers: [none] } };
    await client.resource(identities).patch(key, { type: "merge", patch });
    await waitFor(
      async () => {
        const { metadata } = await read();
        return deepEqual([...(metadata.finalizers ?? [])].sort(), [...finalizers].sort());
      },
      { what: "the users to be as they were" },
    );
  });

  it("does not let an identity take the Secret of another, whose place it takes when that goes", async () => {
    const owners = async () =>
      ((await secret(system, "account")).metadata.ownerReferences ?? []).map(({ name }) => name);
    const { spec } = await client
      .resource<VSphereClusterIdentity>(identities)
      .get({ name: "shared" });
    await people.makeIdentity("same", spec);
    await people.identityIs("same", "SecretAlreadyInUse");
    assert.deepEqual(await owners(), ["shared"]);
    await client.resource(identities).delete({ name: "same" });
    await waitFor(() => isGone(client.resource(identities).get({ name: "same" })), {
      what: "the identity to go",
    });
    assert.deepEqual(await owners(), ["shared"]);
  });

  it("keeps an identity that is in use, until the last cluster is gone, and its Secret for ever", async () => {
    await client.resource(identities).delete({ name: "shared" });
    const identity = await waitFor(
      async () => {
        const found = await client
          .resource<VSphereClusterIdentity>(identities)
          .get({ name: "shared" });
        return found.status?.conditions?.some(({ reason }) => reason === "InUse") && found;
      },
      { what: "the identity to say that it is in use" },
    );
    assert.ok(identity.metadata.deletionTimestamp);
    for (const namespace of ["stacy-1", "stacy-2"]) {
      await client.resource(clusters).delete({ namespace, name: "a" });
    }
    await waitFor(() => isGone(client.resource(identities).get({ name: "shared" })), {
      what: "the identity to go",
    });
    const { metadata } = await secret(system, "account");
    assert.deepEqual(metadata.ownerReferences ?? [], []);
    await waitFor(async () => (await sessionsOf(first, "shared")) === 0, { what: "the logout" });
  });

  it("lets a cluster go whose Secret is already gone, as who strips its finalizer can have it", async () => {
    const key = { namespace: "alex", name: "three" };
    await client.resource(secrets).delete(key);
    await client
      .resource(secrets)
      .patch(key, { type: "merge", patch: { metadata: { finalizers: null } } });
    await client.resource(clusters).delete({ namespace: "alex", name: "two" });
    await waitFor(() => isGone(people.cluster("alex", "two")), { what: "the cluster to go" });
  });

  it("hears of Secrets of identities also where it watches other namespaces alone", async () => {
    await provider[Symbol.asyncDispose]();
    const scope = { type: "namespaces", namespaces: ["narrow"] } as const;
    const vcenterServers = [first.server];
    const options = { credentialsNamespace: system, scope, vcenterServers };
    provider = await RunningProvider.start(kubernetes, options);
    await people.makeNamespace("narrow");
    await people.makeSecret(system, "narrow", { username: "shared", password: "s" });
    const allowedNamespaces = { list: ["narrow"] };
    await people.makeIdentity("narrow", { secretName: "narrow", allowedNamespaces });
    const identityRef = { kind: "VSphereClusterIdentity", name: "narrow" } as const;
    await people.makeCluster("narrow", "a", { ...at(first), identityRef });
    await people.clusterIs("narrow", "a", "Available");
    await people.makeSecret(system, "narrow", { username: "shared", password: "wrong" });
    await people.clusterIs("narrow", "a", "InvalidCredentials");
    await client.resource(clusters).delete({ namespace: "narrow", name: "a" });
    await client.resource(identities).delete({ name: "narrow" });
    await waitFor(() => isGone(client.resource(identities).get({ name: "narrow" })), {
      what: "the identity to go",
    });
    assert.deepEqual((await secret(system, "narrow")).metadata.ownerReferences ?? [], []);
  });

  /** How many clusters hold the shared identity. */
  async function users(): Promise<number> {
    const { metadata } = await client.resource<KubeObject>(identities).get({ name: "shared" });
    return (metadata.finalizers ?? []).filter((one) => one.includes("vspherecluster-")).length;
  }
});

async function isGone(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}
