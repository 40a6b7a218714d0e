import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { VSphereMachine } from "@rookery/api";
import { type Client, createClientOver } from "@rookery/client";
import type { HttpRequest, HttpResponse } from "@rookery/http";
import { type Condition, getCondition, type Resource } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { coreResources } from "./core-user.ts";
import { startInstalled, systemNamespace } from "./installation.ts";
import { makeOwnedMachine, sayAsCore } from "./owned-machine.ts";
import { clusters, identities, machines, virtualMachines } from "./provider-resources.ts";
import { type RecordingVCenter, recordCalls } from "./recording-vcenter.ts";
import { adminClient, People, patience, RunningProvider } from "./running-provider.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const hint = "hush-10.1.2.3";
const page = `<html><body><h1>503 Service Unavailable</h1>${hint}<br></body></html>`;
const identityRef = { kind: "VSphereClusterIdentity", name: "shared" } as const;

type Fault = (request: HttpRequest) => HttpResponse | undefined;

describe("whatever goes wrong in a reconcile", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let client: Client;
  let people: People;
  let simulator: Simulator;
  let vcenter: RecordingVCenter;
  /** What becomes of the manager's requests to the API server. */
  let fault: Fault = () => undefined;

  const withFaults = (account: Client) =>
    createClientOver(async (request) => fault(request) ?? account.handler(request));
  const unforeseen =
    (path: RegExp): Fault =>
    (request) => {
      if (request.method === "GET" && path.test(request.path)) throw new TypeError(hint);
      return undefined;
    };

  before(async () => {
    let kubernetes: Kubernetes;
    [kubernetes, simulator] = await Promise.all([
      startInstalled(/^(clusters|machines)\./),
      startSimulator({ accounts: { observer: "observer", shared: "s", team: "t" } }),
    ]);
    stack.use(kubernetes);
    stack.use(simulator);
    vcenter = stack.use(await recordCalls(simulator));
    client = stack.use(await adminClient(kubernetes));
    people = new People(client);
    // Every reconcile asks the vCenter whether its session is alive.
    const options = { credentialsNamespace: systemNamespace, keepAlive: 1, via: withFaults };
    stack.use(await RunningProvider.start(kubernetes, options));
    await people.makeNamespace("team");
    await people.makeSecret(systemNamespace, "shared", { username: "shared", password: "s" });
    await people.makeIdentity("shared", {
      secretName: "shared",
      allowedNamespaces: { list: ["team"] },
      allowedServers: [vcenter.server],
    });
    await people.identityIs("shared", "Ready");
    const { server, thumbprint } = vcenter;
    await people.makeCluster("team", "a", { server, thumbprint, identityRef });
    await people.clusterIs("team", "a", "Available");
    const status = { initialization: { infrastructureProvisioned: true } };
    await sayAsCore(client, coreResources.clusters, { namespace: "team", name: "a", status });
    await people.makeMachine("team", "one", {});
    await people.machineIs("team", "one", "WaitingForAddress");
  });
  afterEach(() => {
    fault = () => undefined;
    vcenter.unavailablePage = undefined;
  });
  after(() => stack.disposeAsync());

  /** Lets an object be reconciled. */
  const touch = async (resource: Resource, key: { namespace?: string; name: string }) => {
    const annotations = { touched: String(performance.now()) };
    await client
      .resource(resource)
      .patch(key, { type: "merge", patch: { metadata: { annotations } } });
  };
  const readyOf = (conditions: readonly Condition[] | undefined) =>
    getCondition(conditions, "Ready");
  const assertSilent = (condition: Condition | undefined) => {
    assert.equal(condition?.status, "False");
    assert.doesNotMatch(JSON.stringify(condition), /hush|10\.1/);
  };
  const ownedMachineIs = async (reason: string): Promise<Condition> =>
    waitFor(
      async () => {
        const key = { namespace: "team", name: "owned" };
        const { status } = await client.resource<VSphereMachine>(machines).get(key);
        const ready = readyOf(status?.conditions);
        return ready?.reason === reason && ready;
      },
      { what: `the VSphereMachine to be ${reason}`, timeout: patience },
    );

  it("a vCenter that answers with a page instead of XML is unreachable, until it is back", async () => {
    vcenter.unavailablePage = page;
    await touch(clusters, { namespace: "team", name: "a" });
    await touch(virtualMachines, { namespace: "team", name: "one" });
    const { status } = await people.clusterIs("team", "a", "VCenterUnreachable");
    assert.equal(status?.ready, false);
    assertSilent(readyOf(status?.conditions));
    // The first answer has this reason already, not only the rest that the server gets after several.
    assert.match(readyOf(status?.conditions)?.message ?? "", /what answers there is no vCenter/);
    const vm = await people.machineIs("team", "one", "VCenterUnreachable");
    assertSilent(readyOf(vm.status?.conditions));
    vcenter.unavailablePage = undefined;
    await touch(clusters, { namespace: "team", name: "a" });
    await touch(virtualMachines, { namespace: "team", name: "one" });
    await people.clusterIs("team", "a", "Available");
    await people.machineIs("team", "one", "WaitingForAddress");
  });

  it("a new cluster does not go on waiting for its owner", async () => {
    const { server, thumbprint } = vcenter;
    await people.makeSecret("team", "late", { username: "team", password: "t" });
    fault = unforeseen(/\/namespaces\/team\/secrets\/late$/);
    const identityRef = { kind: "Secret", name: "late" } as const;
    await people.makeCluster("team", "late", { server, thumbprint, identityRef });
    const { status } = await people.clusterIs("team", "late", "InternalError");
    assertSilent(readyOf(status?.conditions));
    assert.match(readyOf(status?.conditions)?.message ?? "", /\(TypeError\).*manager's log/);
    fault = () => undefined;
    await touch(clusters, { namespace: "team", name: "late" });
    await people.clusterIs("team", "late", "Available");
  });

  it("an identity says so for its instance", async () => {
    fault = unforeseen(/\/secrets\/shared$/);
    await touch(identities, { name: "shared" });
    const { status } = await people.identityIs("shared", "InternalError");
    assertSilent(readyOf(status?.conditions));
    assert.equal(status?.instances?.[systemNamespace]?.ready, false);
    fault = () => undefined;
    await touch(identities, { name: "shared" });
    await people.identityIs("shared", "Ready");
    await people.clusterIs("team", "a", "Available");
  });

  it("a virtual machine says so", async () => {
    fault = unforeseen(/\/namespaces\/team\/secrets\/one$/);
    await touch(virtualMachines, { namespace: "team", name: "one" });
    const vm = await people.machineIs("team", "one", "InternalError");
    assertSilent(readyOf(vm.status?.conditions));
    fault = () => undefined;
    await touch(virtualMachines, { namespace: "team", name: "one" });
    await people.machineIs("team", "one", "WaitingForAddress");
  });

  it("a machine says so", async () => {
    fault = unforeseen(/\/vspherevms\/owned$/);
    await makeOwnedMachine(client, { namespace: "team", name: "owned", cluster: "a" });
    assertSilent(await ownedMachineIs("InternalError"));
    fault = () => undefined;
    await touch(machines, { namespace: "team", name: "owned" });
    await ownedMachineIs("WaitingForAddress");
  });

  it("missing rights are named, for whoever may grant them", async () => {
    const status = { kind: "Status", status: "Failure", reason: "Forbidden", code: 403 };
    const message = 'secrets "one" is forbidden: the account cannot get it';
    fault = ({ method, path }) =>
      method === "GET" && path.endsWith("/secrets/one")
        ? {
            status: 403,
            headers: { "content-type": "application/json" },
            body: Buffer.from(JSON.stringify({ apiVersion: "v1", ...status, message })),
          }
        : undefined;
    await touch(virtualMachines, { namespace: "team", name: "one" });
    const vm = await people.machineIs("team", "one", "Forbidden");
    assert.match(readyOf(vm.status?.conditions)?.message ?? "", /the account cannot get it/);
  });
});
