import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereVM } from "@rookery/api";
import type { Client } from "@rookery/client";
import { clusterApiSource, type Kubernetes, whyUnavailable } from "@rookery/testing";
import { startInstalled, systemNamespace } from "./installation.ts";
import { clusters, identities, virtualMachines } from "./provider-resources.ts";
import {
  adminClient,
  gone,
  namespaces,
  People,
  RunningProvider,
  secrets,
} from "./running-provider.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const account = { username: "shared", password: "s" };
const identityRef = { kind: "VSphereClusterIdentity", name: "shared" } as const;

/** Their cluster is paused by itself, so that nothing of it changes with its account. */
describe("a VSphereVM that waits for its account", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let client: Client;
  let people: People;
  let first: Simulator;
  let second: Simulator;

  before(async () => {
    let kubernetes: Kubernetes;
    const accounts = { observer: "observer", shared: "s" };
    [kubernetes, first, second] = await Promise.all([
      startInstalled(/^(clusters|machines)\./),
      startSimulator({ accounts }),
      startSimulator({ accounts }),
    ]);
    for (const one of [kubernetes, first, second]) stack.use(one);
    client = stack.use(await adminClient(kubernetes));
    people = new People(client);
    stack.use(await RunningProvider.start(kubernetes, { credentialsNamespace: systemNamespace }));
    await people.makeNamespace("team", { tier: "dev" });
    await people.makeSecret(systemNamespace, "shared", account);
    await people.makeIdentity("shared", {
      secretName: "shared",
      allowedNamespaces: { selector: { matchLabels: { tier: "dev" } } },
      allowedServers: [first.server],
    });
    const { server, thumbprint } = first;
    await people.makeCluster("team", "a", { server, thumbprint, identityRef });
    await people.clusterIs("team", "a", "Available");
    const annotations = { "cluster.x-k8s.io/paused": "" };
    await client
      .resource(clusters)
      .patch(
        { namespace: "team", name: "a" },
        { type: "merge", patch: { metadata: { annotations } } },
      );
  });
  after(() => stack.disposeAsync());

  const changeIdentity = (spec: object) =>
    client.resource(identities).patch({ name: "shared" }, { type: "merge", patch: { spec } });
  const label = (tier: string) =>
    client
      .resource(namespaces)
      .patch({ name: "team" }, { type: "merge", patch: { metadata: { labels: { tier } } } });

  it("is woken when the identity allows its server", async () => {
    const { server, thumbprint } = second;
    await people.makeMachine("team", "elsewhere", { server, thumbprint });
    await people.machineIs("team", "elsewhere", "ServerNotAllowed");
    await changeIdentity({ allowedServers: [first.server, server] });
    await people.machineIs("team", "elsewhere", "WaitingForAddress");
  });

  it("is woken when the labels of its namespace change", async () => {
    await label("prod");
    await people.makeMachine("team", "labelled", {});
    await people.machineIs("team", "labelled", "NamespaceNotAllowed");
    await label("dev");
    await people.machineIs("team", "labelled", "WaitingForAddress");
  });

  it("is woken when the Secret of the identity is there", async () => {
    const key = { namespace: systemNamespace, name: "shared" };
    await client.resource(secrets).delete(key);
    // It waits for the clusters that use it, unless somebody strips it.
    const patch = { metadata: { finalizers: null } };
    await client.resource(secrets).patch(key, { type: "merge", patch });
    await people.identityIs("shared", "SecretNotAvailable");
    await people.makeMachine("team", "early", {});
    await people.machineIs("team", "early", "IdentityNotReady");
    await people.makeSecret(systemNamespace, "shared", account);
    await people.machineIs("team", "early", "WaitingForAddress");
  });
});

describe("a VSphereVM that was never cloned", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let client: Client;
  let people: People;

  before(async () => {
    const kubernetes = stack.use(await startInstalled(/^(clusters|machines)\./));
    client = stack.use(await adminClient(kubernetes));
    people = new People(client);
    stack.use(await RunningProvider.start(kubernetes, { credentialsNamespace: systemNamespace }));
    await people.makeNamespace("team");
  });
  after(() => stack.disposeAsync());

  const remove = async (name: string) => {
    const key = { namespace: "team", name };
    await client.resource<VSphereVM>(virtualMachines).delete(key);
    await gone(() => people.virtualMachine("team", name), `the VSphereVM ${name}`);
  };

  it("goes where it has no cluster", async () => {
    await people.makeMachine("team", "orphan", {});
    await people.machineIs("team", "orphan", "WaitingForCluster");
    await remove("orphan");
  });

  it("goes where its identity never came", async () => {
    await people.makeCluster("team", "a", { server: "vc.example", identityRef });
    await people.makeMachine("team", "nobody", {});
    await people.machineIs("team", "nobody", "IdentityNotFound");
    await remove("nobody");
  });

  it("goes where its vCenter never answered", async () => {
    await people.makeSecret("team", "own", account);
    const server = "127.0.0.1:1";
    const thumbprint = "AB".repeat(20);
    const identityRef = { kind: "Secret", name: "own" } as const;
    await people.changeCluster("team", "a", { server, thumbprint, identityRef });
    await people.makeMachine("team", "unheard", {});
    const { status } = await people.machineIs("team", "unheard", "VCenterUnreachable");
    assert.ok(status?.connection);
    await remove("unheard");
  });
});
