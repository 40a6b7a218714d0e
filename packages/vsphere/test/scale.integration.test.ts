import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereCluster } from "@rookery/api";
import type { Client } from "@rookery/client";
import { hasConditionStatus, objectKeyOf } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { listObjects } from "../src/vim/inventory.ts";
import { textOf } from "../src/vim/xml-reader.ts";
import { clusters } from "./provider-resources.ts";
import {
  adminClient,
  People,
  RunningProvider,
  startKubernetesWithKinds,
} from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions, terminateSessions } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const vcenters = 4;
const tenants = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
/** Of each tenant. */
const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
/** What is restarted forgets its machines, as no vCenter does: it has none. */
const restarted = 3;
const patience = 300_000;

describe("200 clusters of 20 identities on 4 vCenters", { skip }, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let simulators: readonly Simulator[];
  let provider: RunningProvider;

  before(async () => {
    kubernetes = await startKubernetesWithKinds();
    client = await adminClient(kubernetes);
    people = new People(client);
    simulators = await Promise.all(
      Array.from({ length: vcenters }, (_, index) => startSimulator({ accounts: accounts(index) })),
    );
    await people.makeNamespace("system");
    await each(tenants, makeTenant);
    const options = { credentialsNamespace: "system", keepAlive: 500 };
    provider = await RunningProvider.start(kubernetes, options);
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await client.destroy();
    await Promise.all([kubernetes, ...simulators].map((one) => one[Symbol.asyncDispose]()));
  });

  it("are ready, with one session for an account", async () => {
    await each(tenants, makeClusters);
    await allReady();
    for (const index of simulators.keys()) await assertOneSessionEach(index);
  });

  it("are ready again by themselves after rotation, killed sessions and a restart, all under load", async () => {
    await each(["tenant-0", "tenant-1", "tenant-2"], async (namespace) => {
      for (const name of ["one", "two"]) await people.makeMachine(namespace, name, {});
    });
    let isOver = false;
    const load = (async () => {
      while (!isOver) await touchAll();
    })();
    try {
      for (let time = 0; time < 5; time++) await killSessions(0);
      await rotate(1);
      await killSessions(2);
      await simulators[restarted]?.restart();
      await killSessions(0);
    } finally {
      isOver = true;
      await load;
    }
    await allReady();
    for (const namespace of ["tenant-0", "tenant-1", "tenant-2"]) {
      for (const name of ["one", "two"]) {
        await people.machineIs(namespace, name, "WaitingForAddress");
      }
    }
  });

  it("have no more sessions after it than there are accounts", async () => {
    for (const index of simulators.keys()) await assertOneSessionEach(index);
  });

  it("have no machine twice", async () => {
    for (const index of [0, 1, 2]) {
      await using vcenter = await observe(simulatorAt(index));
      const all = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
      const made = all.map(({ properties }) => textOf(properties.get("name")) ?? "");
      assert.deepEqual(made.filter((name) => ["one", "two"].includes(name)).sort(), ["one", "two"]);
    }
  });

  function simulatorAt(index: number): Simulator {
    const found = simulators[index];
    assert.ok(found);
    return found;
  }

  async function makeTenant(name: string): Promise<void> {
    const { server } = simulatorAt(vcenterOf(name));
    await people.makeNamespace(name);
    await people.makeSecret("system", name, { username: name, password: "first" });
    await people.makeIdentity(name, {
      secretName: name,
      allowedNamespaces: { list: [name] },
      allowedServers: [server],
    });
  }

  async function makeClusters(tenant: string): Promise<void> {
    const { server, thumbprint } = simulatorAt(vcenterOf(tenant));
    const identityRef = { kind: "VSphereClusterIdentity", name: tenant } as const;
    for (const name of names) {
      await people.makeCluster(tenant, name, { server, thumbprint, identityRef });
    }
  }

  /** Lets every cluster be reconciled. */
  async function touchAll(): Promise<void> {
    const annotations = { touched: `${performance.now()}` };
    const patch = { type: "merge", patch: { metadata: { annotations } } } as const;
    await each(await allClusters(), async (cluster) => {
      await client.resource(clusters).patch(objectKeyOf(cluster), patch);
    });
  }

  async function killSessions(index: number): Promise<void> {
    await using vcenter = await observe(simulatorAt(index));
    // One of them may end by itself in between: then all that are left are killed.
    await waitFor(
      async () => {
        const all = await listSessions(vcenter);
        const others = all.filter(({ userName }) => userName !== "observer");
        if (others.length === 0) return false;
        const keys = others.map(({ key }) => key);
        await terminateSessions(vcenter, keys);
        return true;
      },
      { what: "sessions to kill", timeout: patience },
    );
  }

  async function rotate(index: number): Promise<void> {
    await simulatorAt(index).setAccounts(accounts(index, "second"));
    for (const name of tenants.filter((tenant) => vcenterOf(tenant) === index)) {
      await people.makeSecret("system", name, { username: name, password: "second" });
    }
  }

  async function allClusters(): Promise<readonly VSphereCluster[]> {
    return (await client.resource<VSphereCluster>(clusters).list()).items;
  }

  /** Ready, and known to be so since the last change of their specs. */
  async function allReady(): Promise<void> {
    let waiting: string[] = [];
    await waitFor(
      async () => {
        const all = await allClusters();
        waiting = all
          .filter(({ status }) => !hasConditionStatus(status?.conditions, "Ready", "True"))
          .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
        return all.length === tenants.length * names.length && waiting.length === 0;
      },
      {
        what: "all clusters to be ready",
        timeout: patience,
        interval: 500,
        detail: () => `${waiting.length} are not: ${waiting.slice(0, 5).join(", ")}`,
      },
    );
  }

  /** Old ones are logged out in the background; a killed one comes again when it is needed. */
  async function assertOneSessionEach(index: number): Promise<void> {
    const accounts = new Set(tenants.filter((tenant) => vcenterOf(tenant) === index));
    await using vcenter = await observe(simulatorAt(index));
    let found: string[] = [];
    await waitFor(
      async () => {
        const names = (await listSessions(vcenter)).map(({ userName }) => userName);
        found = names.filter((name) => name !== "observer");
        return new Set(found).size === found.length && found.every((name) => accounts.has(name));
      },
      { what: "one session for each account", timeout: patience, detail: () => found.join() },
    );
  }
});

function vcenterOf(tenant: string): number {
  return Number(tenant.slice("tenant-".length)) % vcenters;
}

function accounts(index: number, password = "first"): Record<string, string> {
  const own = tenants.filter((tenant) => vcenterOf(tenant) === index);
  return Object.fromEntries([["observer", "observer"], ...own.map((name) => [name, password])]);
}

/** Several at a time. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: 10 }, worker));
}
