import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { listObjects } from "../src/vim/inventory.ts";
import { textOf } from "../src/vim/xml-reader.ts";
import { startInstalled, systemNamespace } from "./installation.ts";
import {
  adminClient,
  clusters,
  gone,
  identities,
  namespaces,
  People,
  patience,
  RunningProvider,
  secrets,
} from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const account = { username: "team", password: "t" };
/** Where all instances looked before each had its own. */
const former = "accounts";

describe("the Secret of an identity", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let simulator: Simulator;
  let provider: RunningProvider;

  const startProvider = () =>
    RunningProvider.start(kubernetes, {
      credentialsNamespace: systemNamespace,
      formerCredentialsNamespace: former,
      ca: simulator.ca,
    });
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
    await people.makeNamespace(former);
  });
  after(async () => {
    await provider?.[Symbol.asyncDispose]();
    await stack.disposeAsync();
  });

  const makeIdentity = async (name: string, namespace = systemNamespace) => {
    await people.makeSecret(namespace, name, account);
    const allowedServers = [simulator.server];
    await people.makeIdentity(name, { secretName: name, allowedNamespaces: {}, allowedServers });
    await people.identityIs(name, "Ready");
  };
  const makeTenant = async (namespace: string, name: string) => {
    await people.makeNamespace(namespace);
    const identityRef = { kind: "VSphereClusterIdentity", name } as const;
    await people.makeCluster(namespace, "a", { server: simulator.server, identityRef });
  };
  const machineRuns = async (namespace: string, name: string) => {
    await people.makeMachine(namespace, name, {});
    await people.machineIs(namespace, name, "WaitingForAddress");
  };
  const secretIn = (name: string, namespace = systemNamespace) =>
    client.resource<KubeObject>(secrets).get({ namespace, name });
  const finalizersOf = async (name: string, namespace?: string) =>
    (await secretIn(name, namespace)).metadata.finalizers ?? [];
  const isReleased = (name: string) =>
    waitFor(async () => (await finalizersOf(name)).length === 0, {
      what: `the Secret ${name} to be released`,
      timeout: patience,
    });
  const namesOnVCenter = async () => {
    await using vcenter = await observe(simulator);
    const all = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
    return all.map(({ properties }) => textOf(properties.get("name")));
  };
  const namespaceGoes = async (name: string) => {
    await client.resource(namespaces).delete({ name });
    await gone(() => client.resource(namespaces).get({ name }), `the namespace ${name}`);
  };

  it("outlives the virtual machines where it and its identity are deleted first", async () => {
    await makeIdentity("first");
    assert.deepEqual(await finalizersOf("first"), [], "nobody uses it");
    await makeTenant("doomed", "first");
    await people.clusterIs("doomed", "a", "Available");
    assert.equal((await finalizersOf("first")).length, 1);
    await machineRuns("doomed", "doomed-one");
    await client.resource(secrets).delete({ namespace: systemNamespace, name: "first" });
    await client.resource(identities).delete({ name: "first" });
    await people.identityIs("first", "InUse");
    await machineRuns("doomed", "doomed-two");
    await makeTenant("late", "first");
    await people.clusterIs("late", "a", "IdentityNotFound");
    await namespaceGoes("doomed");
    await gone(() => secretIn("first"), "the Secret");
    await gone(() => people.identity("first"), "the identity");
    const left = await namesOnVCenter();
    assert.ok(!left.includes("doomed-one") && !left.includes("doomed-two"), left.join());
  });

  it("outlives them where the namespace that holds it is deleted, and is for nobody new", async () => {
    await makeIdentity("shared", former);
    await makeTenant("held", "shared");
    await people.clusterIs("held", "a", "Available");
    await machineRuns("held", "held-one");
    await client.resource(namespaces).delete({ name: former });
    await waitFor(async () => (await secretIn("shared", former)).metadata.deletionTimestamp, {
      what: "the Secret to be deleted",
    });
    await makeTenant("new", "shared");
    await people.clusterIs("new", "a", "SecretNotAvailable");
    await machineRuns("held", "held-two");
    await namespaceGoes("held");
    await gone(() => client.resource(namespaces).get({ name: former }), "its namespace");
    const left = await namesOnVCenter();
    assert.ok(!left.includes("held-one") && !left.includes("held-two"), left.join());
  });

  it("is released in the former namespace where the instance has one of its own", async () => {
    const places = [former, systemNamespace] as const;
    await gone(() => client.resource(namespaces).get({ name: former }), "the former namespace");
    await people.makeNamespace(former);
    await makeIdentity("fourth", former);
    await makeTenant("four", "fourth");
    await people.clusterIs("four", "a", "Available");
    await people.makeSecret(systemNamespace, "fourth", account);
    const counts = () =>
      Promise.all(places.map(async (one) => (await finalizersOf("fourth", one)).length));
    await waitFor(async () => (await counts()).join() === "0,1", {
      what: "the own Secret to take the place of the former",
      timeout: patience,
    });
  });

  it("is kept until the last cluster goes or names another", async () => {
    await makeIdentity("second");
    await makeIdentity("third");
    await makeTenant("one", "second");
    await makeTenant("two", "second");
    for (const namespace of ["one", "two"]) await people.clusterIs(namespace, "a", "Available");
    assert.equal((await finalizersOf("second")).length, 1);
    await client.resource(clusters).delete({ namespace: "one", name: "a" });
    await gone(() => people.cluster("one", "a"), "the cluster");
    assert.equal((await finalizersOf("second")).length, 1);
    const identityRef = { kind: "VSphereClusterIdentity", name: "third" } as const;
    await people.changeCluster("two", "a", { identityRef });
    await isReleased("second");
    assert.equal((await finalizersOf("third")).length, 1);
  });

  it("is released of a cluster that goes while no manager runs, and held again where somebody strips it", async () => {
    const key = { namespace: "two", name: "a" };
    const patch = { metadata: { finalizers: null } };
    await client
      .resource(secrets)
      .patch({ namespace: systemNamespace, name: "third" }, { type: "merge", patch });
    await waitFor(async () => (await finalizersOf("third")).length === 1, {
      what: "the finalizer",
      timeout: patience,
    });
    await provider[Symbol.asyncDispose]();
    await client.resource(clusters).delete(key);
    await client.resource(clusters).patch(key, { type: "merge", patch });
    provider = await startProvider();
    await isReleased("third");
  });
});
