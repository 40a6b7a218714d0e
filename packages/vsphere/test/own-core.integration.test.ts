import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  coreKinds,
  customResourceDefinitionOf,
  customResourceDefinitions,
  type VSphereCluster,
} from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { setupCore } from "@rookery/core";
import { isNotFound } from "@rookery/kube";
import {
  createCache,
  createEventBroadcaster,
  createManager,
  createMetrics,
  eventResource,
  silentLogger,
} from "@rookery/runtime";
import { startKubernetes, waitFor } from "@rookery/testing";
import { listObjects } from "../src/vim/inventory.ts";
import { textOf } from "../src/vim/xml-reader.ts";
import { CoreUser, coreResources } from "./core-user.ts";
import { clusters } from "./provider-resources.ts";
import { People, RunningProvider } from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = await simulatorUnavailable();
const system = "vsphere-system";

/** The core of the embedded mode in the place of Cluster API's own. */
describe("our core", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let client: Client;
  let people: People;
  let user: CoreUser;
  let simulator: Simulator;

  before(async () => {
    const kubernetes = stack.use(
      await startKubernetes({ private: true, controllerManager: false }),
    );
    simulator = stack.use(
      await startSimulator({ accounts: { observer: "observer", controller: "c" } }),
    );
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("vsphere"),
    );
    const all = [...own, ...coreKinds.map(customResourceDefinitionOf)];
    await Promise.all(all.map((crd) => kubernetes.applyCrd(crd)));
    client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    people = new People(client);
    user = new CoreUser(client, people);
    for (const name of [system, "team"]) await people.makeNamespace(name);
    const { ca, server } = simulator;
    const read = async () => ({ username: "controller", password: "c", servers: [server] });
    const options = {
      credentialsNamespace: system,
      ca,
      own: { read, servers: async () => [server] },
    };
    stack.use(await RunningProvider.start(kubernetes, options));
    stack.use(startCore(client));
  });
  after(() => stack.disposeAsync());

  const names = async () => {
    await using vcenter = await observe(simulator);
    const all = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
    return all.map(({ properties }) => textOf(properties.get("name")));
  };

  it("provisions a machine on a vCenter", async () => {
    await user.makeCluster("team", "a", { server: simulator.server });
    await user.makeMachine("team", "worker", { cluster: "a", numCPUs: 4 });
    await user.boot(simulator, "team", "worker", "10.0.0.7");
    const machine = await user.machineIs("team", "worker", "Provisioned");
    const { spec } = await people.virtualMachine("team", "worker");
    assert.equal(machine.spec?.providerID, `vsphere://${spec.biosUUID}`);
    assert.deepEqual(machine.status?.addresses, [
      { type: "ExternalIP", address: "10.0.0.7" },
      { type: "InternalDNS", address: "worker" },
    ]);
    assert.ok((await names()).includes("worker"));
  });

  it("deletes the machine from the vCenter, and the cluster after it", async () => {
    await client.resource(coreResources.clusters).delete({ namespace: "team", name: "a" });
    const key = { namespace: "team", name: "a" };
    const isGone = () =>
      client
        .resource<VSphereCluster>(clusters)
        .get(key)
        .then(() => false, isNotFound);
    await waitFor(isGone, { what: "the VSphereCluster to go" });
    assert.ok(!(await names()).includes("worker"));
  });
});

/** The controllers of the core, in this process. */
function startCore(client: Client): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const cache = createCache({ client });
  const manager = createManager({});
  const events = createEventBroadcaster({ events: client.resource(eventResource) });
  for (const runnable of [cache, events]) manager.add(runnable);
  const metrics = createMetrics({ processMetrics: false });
  const recorder = events.recorder("rookery.dev/core");
  stack.use(setupCore({ client, cache, manager, metrics, recorder, logger: silentLogger }));
  const running = manager.start(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return stack;
}
