import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { listObjects } from "../src/vim/inventory.ts";
import { textOf } from "../src/vim/xml-reader.ts";
import { startInstalled, systemNamespace } from "./installation.ts";
import { clusters, virtualMachines } from "./provider-resources.ts";
import {
  adminClient,
  gone,
  namespaces,
  People,
  patience,
  RunningProvider,
  secrets,
} from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const account = { username: "team", password: "t" };
const own = (name: string) => ({ kind: "Secret", name }) as const;

describe("the Secret of a cluster", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let simulator: Simulator;
  let provider: RunningProvider;

  const startProvider = () => {
    const tenantNetworks = [{ address: "127.0.0.0", prefix: 8, port: "any" } as const];
    return RunningProvider.start(kubernetes, {
      credentialsNamespace: systemNamespace,
      ca: simulator.ca,
      tenantNetworks,
    });
  };
  before(async () => {
    [kubernetes, simulator] = await Promise.all([
      startInstalled(/^(clusters|machines)\./, { controllerManager: true }),
      startSimulator({ accounts: { observer: "observer", team: "t" } }),
    ]);
    stack.use(kubernetes);
    stack.use(simulator);
    client = stack.use(await adminClient(kubernetes));
    people = new People(client);
    provider = await startProvider();
  });
  after(async () => {
    await provider?.[Symbol.asyncDispose]();
    await stack.disposeAsync();
  });

  const makeTenant = async (namespace: string) => {
    await people.makeNamespace(namespace);
    await people.makeSecret(namespace, "account", account);
    const { server } = simulator;
    await people.makeCluster(namespace, "a", { server, identityRef: own("account") });
    await people.clusterIs(namespace, "a", "Available");
  };
  const secretIn = (namespace: string, name = "account") =>
    client.resource<KubeObject>(secrets).get({ namespace, name });
  const finalizersOf = async (namespace: string, name = "account") =>
    (await secretIn(namespace, name)).metadata.finalizers ?? [];
  const namesOnVCenter = async () => {
    await using vcenter = await observe(simulator);
    const all = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
    return all.map(({ properties }) => textOf(properties.get("name")));
  };
  const isReleased = (namespace: string) =>
    waitFor(async () => (await finalizersOf(namespace)).length === 0, {
      what: "the Secret to be released",
      timeout: patience,
    });

  it("outlives the virtual machines of a namespace that is deleted, and goes after them", async () => {
    await makeTenant("doomed");
    await people.makeMachine("doomed", "doomed-one", {});
    await people.machineIs("doomed", "doomed-one", "WaitingForAddress");
    assert.ok((await namesOnVCenter()).includes("doomed-one"));
    // The deletion of a namespace goes by kind, in no order that anybody promises: this is the worst.
    await client.resource(secrets).delete({ namespace: "doomed", name: "account" });
    await client.resource(namespaces).delete({ name: "doomed" });
    await gone(() => client.resource(namespaces).get({ name: "doomed" }), "the namespace");
    assert.ok(!(await namesOnVCenter()).includes("doomed-one"));
  });

  it("keeps a cluster working that is there when somebody deletes it", async () => {
    await makeTenant("held");
    await client.resource(secrets).delete({ namespace: "held", name: "account" });
    await people.makeMachine("held", "held-one", {});
    await people.machineIs("held", "held-one", "WaitingForAddress");
    assert.ok((await secretIn("held")).metadata.deletionTimestamp);
    const { server } = simulator;
    await people.makeCluster("held", "late", { server, identityRef: own("account") });
    await people.clusterIs("held", "late", "SecretAlreadyInUse");
  });

  it("is released when the cluster names another", async () => {
    await people.makeSecret("held", "other", account);
    await people.changeCluster("held", "a", { identityRef: own("other") });
    await gone(() => secretIn("held"), "the Secret");
    await people.clusterIs("held", "a", "Available");
    assert.equal((await finalizersOf("held", "other")).length, 1);
  });

  it("is released when the cluster goes", async () => {
    await makeTenant("leaving");
    assert.equal((await finalizersOf("leaving")).length, 1);
    await client.resource(clusters).delete({ namespace: "leaving", name: "a" });
    await gone(() => people.cluster("leaving", "a"), "the cluster");
    const { metadata } = await secretIn("leaving");
    assert.deepEqual([metadata.finalizers ?? [], metadata.ownerReferences ?? []], [[], []]);
  });

  /** As who strips finalizers does, or who moves a cluster elsewhere. */
  const removeWithoutAWord = async (namespace: string) => {
    const key = { namespace, name: "a" };
    await client.resource(clusters).delete(key);
    const patch = { metadata: { finalizers: null } };
    await client.resource(clusters).patch(key, { type: "merge", patch });
  };

  it("is released of a cluster that goes without a word", async () => {
    await makeTenant("abrupt");
    await removeWithoutAWord("abrupt");
    // The garbage collector deletes what has no owner left, unless the manager saw the deletion in time and let go of it.
    await waitFor(
      async () => {
        const { items } = await client.resource<KubeObject>(secrets).list({ namespace: "abrupt" });
        const { finalizers = [], ownerReferences = [] } =
          items.find(({ metadata }) => metadata.name === "account")?.metadata ?? {};
        return finalizers.length + ownerReferences.length === 0;
      },
      { what: "the Secret to be released or gone", timeout: patience },
    );
  });

  it("is released of a cluster that goes while no manager runs, also without its owner", async () => {
    await makeTenant("unseen");
    await provider[Symbol.asyncDispose]();
    const patch = { metadata: { ownerReferences: null } };
    await client
      .resource(secrets)
      .patch({ namespace: "unseen", name: "account" }, { type: "merge", patch });
    await removeWithoutAWord("unseen");
    assert.equal((await finalizersOf("unseen")).length, 1);
    provider = await startProvider();
    await isReleased("unseen");
  });

  it("has its finalizer again where somebody took it away", async () => {
    await makeTenant("stripped");
    const patch = { metadata: { finalizers: null } };
    await client
      .resource(secrets)
      .patch({ namespace: "stripped", name: "account" }, { type: "merge", patch });
    await waitFor(async () => (await finalizersOf("stripped")).length === 1, {
      what: "the finalizer",
      timeout: patience,
    });
    const left = await client.resource<KubeObject>(virtualMachines).list({ namespace: "stripped" });
    assert.deepEqual(left.items, []);
  });
});
