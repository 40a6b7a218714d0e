import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  clusterApiSource,
  clusterctlProgram,
  type Kubernetes,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { listObjects, listSessions, textOf } from "@rookery/vsphere";
import { moveNamespace, recordInstallation } from "./clusterctl.ts";
import { CoreUser, coreResources } from "./core-user.ts";
import { gone, installComponents, startInstalled, systemNamespace } from "./installation.ts";
import { makeOwnedMachine, sayAsCore } from "./owned-machine.ts";
import { clusters, identities, machines } from "./provider-resources.ts";
import { adminClient, People, RunningProvider, secrets } from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip =
  (await simulatorUnavailable()) ||
  (await whyUnavailable(clusterApiSource)) ||
  (await whyUnavailable(clusterctlProgram));
const namespace = "team";

describe("clusters that clusterctl moves", { skip }, () => {
  let simulator: Simulator;
  let source: Management;
  let target: Management;
  /** The virtual machines before the move. */
  let made: readonly string[];

  before(async () => {
    const accounts = { observer: "observer", shared: "s", team: "t" };
    simulator = await startSimulator({ accounts });
    [source, target] = await Promise.all([
      Management.start(simulator),
      Management.start(simulator),
    ]);
    const { people } = source;
    await people.makeNamespace(namespace);
    const { server } = simulator;
    await people.makeSecret(namespace, "account", { username: "team", password: "t" });
    const mine = { kind: "Secret", name: "account" } as const;
    await people.makeCluster(namespace, "by-secret", { server, identityRef: mine });
    await people.makeSecret(systemNamespace, "shared", { username: "shared", password: "s" });
    await people.makeIdentity("shared", {
      secretName: "shared",
      allowedNamespaces: { list: [namespace] },
      allowedServers: [server],
    });
    const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;
    await people.makeCluster(namespace, "by-identity", { server, identityRef: shared });
    for (const name of ["by-secret", "by-identity"]) await source.makeMachine(simulator, name);
    made = await machinesOn(simulator);
  });
  after(async () => {
    await Promise.all([source, target].map((one) => one?.[Symbol.asyncDispose]()));
    await simulator[Symbol.asyncDispose]();
  });

  const secret = ({ client }: Management, where: string, name: string) =>
    client.resource<KubeObject>(secrets).get({ namespace: where, name });
  const identity = ({ client }: Management) =>
    client.resource<VSphereClusterIdentity>(identities).get({ name: "shared" });

  it("are ready again where they are then", async () => {
    await moveNamespace(namespace, source.kubernetes, target.kubernetes);
    for (const name of ["by-secret", "by-identity"]) {
      await target.people.clusterIs(namespace, name, "Available");
      const machine = await target.people.machineIs(namespace, `${name}-0`, "Running");
      assert.deepEqual(machine.status?.addresses, [addressOf(name)]);
    }
  });

  it("have their identities and the Secrets of those with them", async () => {
    const { metadata } = await secret(target, namespace, "account");
    const cluster = await target.people.cluster(namespace, "by-secret");
    assert.deepEqual(
      metadata.ownerReferences?.map(({ uid }) => uid),
      [cluster.metadata.uid],
    );
    const { status, metadata: moved } = await identity(target);
    assert.equal(status?.ready, true);
    const owned = await secret(target, systemNamespace, "shared");
    assert.deepEqual(
      owned.metadata.ownerReferences?.map(({ uid }) => uid),
      [moved.uid],
    );
  });

  it("are the same virtual machines: none was made, restarted or removed", async () => {
    assert.deepEqual(await machinesOn(simulator), made);
  });

  it("leave an identity and its Secret where they were, for others that use it", async () => {
    assert.equal((await identity(source)).metadata.deletionTimestamp, undefined);
    assert.ok(await secret(source, systemNamespace, "shared"));
    for (const name of ["by-secret", "by-identity"]) {
      await gone(() => source.people.cluster(namespace, name), `${name} at the source`);
    }
    await gone(() => secret(source, namespace, "account"), "the Secret of a cluster");
  });

  it("are held by nobody at the source any more: sessions are logged out, the identity is free", async () => {
    await using vcenter = await observe(simulator);
    const users = async () => {
      const names = (await listSessions(vcenter)).map(({ userName }) => userName);
      return names.filter((name) => name !== "observer").sort();
    };
    // Those of the target are left.
    await waitFor(async () => (await users()).join() === "shared,team", {
      what: "the source to log out",
    });
    await source.client.resource(identities).delete({ name: "shared" });
    await gone(() => identity(source), "the identity at the source");
    assert.ok(await secret(source, systemNamespace, "shared"));
  });

  it("let go of what they were moved with, as they would have without a move", async () => {
    const { client, people } = target;
    const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;
    await people.changeCluster(namespace, "by-secret", { identityRef: shared });
    await waitFor(
      async () => !(await secret(target, namespace, "account")).metadata.ownerReferences?.length,
      { what: "the Secret to be released" },
    );
    for (const name of ["by-secret", "by-identity"]) {
      await client.resource(machines).delete({ namespace, name: `${name}-0` });
      await gone(() => people.virtualMachine(namespace, `${name}-0`), `the machine of ${name}`);
      await client.resource(clusters).delete({ namespace, name });
      await gone(() => people.cluster(namespace, name), name);
    }
    await client.resource(identities).delete({ name: "shared" });
    await gone(() => identity(target), "the identity");
    assert.ok(await secret(target, systemNamespace, "shared"));
  });
});

const addressOf = (cluster: string) => (cluster === "by-secret" ? "10.0.0.1" : "10.0.0.2");

/** What makes a virtual machine the one that it is, of all of them. */
async function machinesOn(simulator: Simulator): Promise<readonly string[]> {
  await using vcenter = await observe(simulator);
  const paths = ["name", "config.uuid", "config.instanceUuid", "runtime.powerState"];
  const all = await listObjects(vcenter, { type: "VirtualMachine", paths });
  return all
    .map(({ properties }) => paths.map((path) => textOf(properties.get(path))).join(" "))
    .sort();
}

/** A management cluster: a Kubernetes with the provider, and who works with it. */
class Management implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  readonly people: People;
  readonly #provider: RunningProvider;

  static async start({ ca }: Simulator): Promise<Management> {
    const kubernetes = await startInstalled(/^(clusters|machines)\./);
    const client = await adminClient(kubernetes);
    await installComponents(client);
    await recordInstallation(kubernetes, client);
    const options = { credentialsNamespace: systemNamespace, ca };
    const provider = await RunningProvider.start(client, options);
    return new Management(kubernetes, client, provider);
  }

  private constructor(kubernetes: Kubernetes, client: Client, provider: RunningProvider) {
    this.kubernetes = kubernetes;
    this.client = client;
    this.people = new People(client);
    this.#provider = provider;
  }

  /** A machine of a cluster that runs, as far as Cluster API would know by then. */
  async makeMachine(simulator: Simulator, cluster: string): Promise<void> {
    const { client, people } = this;
    const name = `${cluster}-0`;
    await people.clusterIs(namespace, cluster, "Available");
    const conditions = [
      {
        ...{ type: "ControlPlaneInitialized", status: "True", reason: "Initialized", message: "" },
        lastTransitionTime: new Date().toISOString(),
      },
    ];
    const status = { initialization: { infrastructureProvisioned: true }, conditions };
    await sayAsCore(client, coreResources.clusters, { namespace, name: cluster, status });
    await makeOwnedMachine(client, { namespace, name, cluster });
    await new CoreUser(client, people).boot(simulator, namespace, name, addressOf(cluster));
    await people.machineIs(namespace, name, "Running");
    const nodeRef = { name };
    await sayAsCore(client, coreResources.machines, { namespace, name, status: { nodeRef } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#provider[Symbol.asyncDispose]();
    await this.client.destroy();
    await this.kubernetes[Symbol.asyncDispose]();
  }
}
