import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type {
  VSphereCluster,
  VSphereClusterIdentity,
  VSphereMachine,
  VSphereMachineTemplate,
  VSphereVM,
} from "@rookery/api";
import { customResourceDefinitions } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { getCondition, isForbidden, isInvalid, isNotFound } from "@rookery/kube";
import {
  applyCoreCrds,
  clusterApiManager,
  type Kubernetes,
  startClusterApiCore,
  startKubernetes,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { listObjects } from "../src/vim/inventory.ts";
import { textOf } from "../src/vim/xml-reader.ts";
import { CoreUser, coreResources } from "./core-user.ts";
import { systemNamespace as system } from "./installation.ts";
import {
  clusters,
  identities,
  machines,
  machineTemplates,
  virtualMachines,
} from "./provider-resources.ts";
import { People, patience, RunningProvider } from "./running-provider.ts";
import { startWebhooks } from "./running-webhooks.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiManager));
const shared = { kind: "VSphereClusterIdentity", name: "shared" } as const;

describe("the core of Cluster API", { skip }, () => {
  const stack = new AsyncDisposableStack();
  const warnings: string[] = [];
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let user: CoreUser;
  let first: Simulator;
  let second: Simulator;
  let core: Awaited<ReturnType<typeof startClusterApiCore>>;

  before(async () => {
    const accounts = { observer: "observer", controller: "c", shared: "s", team: "t" };
    const started = await Promise.all([
      startKubernetes({ private: true, controllerManager: false }),
      startSimulator({ accounts }),
      startSimulator({ accounts }),
    ]);
    for (const one of started) stack.use(one);
    [kubernetes, first, second] = started;
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("vsphere"),
    );
    await Promise.all([applyCoreCrds(kubernetes), ...own.map((crd) => kubernetes.applyCrd(crd))]);
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    client = stack.use(createClient(config, { onWarning: (text) => warnings.push(text) }));
    people = new People(client);
    user = new CoreUser(client, people);
    for (const name of [system, "legacy", "alex", "mallory"]) await people.makeNamespace(name);
    for (const name of ["stacy-1", "stacy-2"]) await people.makeNamespace(name, { team: "stacy" });
    stack.use(await startWebhooks(kubernetes, client));
    const options = {
      credentialsNamespace: system,
      ca: first.ca,
      own: {
        read: async () => ({ username: "controller", password: "c", servers: [first.server] }),
        servers: async () => [first.server],
      },
    };
    stack.use(await RunningProvider.start(kubernetes, options));
    core = stack.use(await startClusterApiCore(kubernetes));
  });
  beforeEach(() => core.child.assertRunning());
  after(() => stack.disposeAsync());

  const at = ({ server, thumbprint }: Simulator) => ({ server, thumbprint });
  const namesOn = async (simulator: Simulator): Promise<(string | undefined)[]> => {
    await using vcenter = await observe(simulator);
    const all = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
    return all.map(({ properties }) => textOf(properties.get("name")));
  };

  it("story 3: provisions a machine of a cluster that names nobody, as the controller", async () => {
    await user.makeCluster("legacy", "a", { server: first.server });
    await user.makeMachine("legacy", "worker", { cluster: "a", numCPUs: 4 });
    await user.boot(first, "legacy", "worker", "10.0.0.7");
    const machine = await user.machineIs("legacy", "worker", "Provisioned");
    const { spec } = await people.virtualMachine("legacy", "worker");
    assert.equal(machine.spec?.providerID, `vsphere://${spec.biosUUID}`);
    assert.deepEqual(machine.status?.addresses, [
      { type: "ExternalIP", address: "10.0.0.7" },
      { type: "InternalDNS", address: "worker" },
    ]);
    const ready = getCondition(machine.status?.conditions, "InfrastructureReady");
    assert.equal(ready?.status, "True");
    assert.ok((await namesOn(first)).includes("worker"));
  });

  it("story 1: provisions machines on two vCenters at once, each as its own account", async () => {
    for (const [name, simulator] of Object.entries({ one: first, two: second })) {
      await people.makeSecret("alex", name, { username: "team", password: "t" });
      const identityRef = { kind: "Secret", name } as const;
      await user.makeCluster("alex", name, { ...at(simulator), identityRef });
      await user.makeMachine("alex", `on-${name}`, { cluster: name });
    }
    await user.boot(first, "alex", "on-one", "10.0.0.8");
    await user.boot(second, "alex", "on-two", "10.0.0.8");
    for (const name of ["on-one", "on-two"]) await user.machineIs("alex", name, "Provisioned");
    assert.ok(!(await namesOn(first)).includes("on-two"));
    assert.ok(!(await namesOn(second)).includes("on-one"));
  });

  it("story 2: provisions machines of several namespaces with one identity, and none of another", async () => {
    await people.makeSecret(system, "account", { username: "shared", password: "s" });
    await people.makeIdentity("shared", {
      secretName: "account",
      allowedNamespaces: { selector: { matchLabels: { team: "stacy" } } },
      allowedServers: [first.server],
    });
    const spec = { ...at(first), identityRef: shared };
    const allowed = ["stacy-1", "stacy-2"];
    for (const namespace of allowed) {
      await user.makeCluster(namespace, "a", spec);
      await user.makeMachine(namespace, namespace, { cluster: "a" });
    }
    for (const namespace of allowed) {
      await user.boot(first, namespace, namespace, "10.0.0.9");
      await user.machineIs(namespace, namespace, "Provisioned");
    }
    await assert.rejects(user.makeCluster("mallory", "a", spec), (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /may not be used in the namespace mallory/);
      return true;
    });
  });

  it("is refused an identity for another server, also by a change", async () => {
    const elsewhere = { ...at(second), identityRef: shared };
    await assert.rejects(user.makeCluster("stacy-1", "b", elsewhere), /spec\.server: Forbidden/);
    await assert.rejects(
      people.changeCluster("stacy-1", "a", at(second)),
      /spec\.server: Forbidden/,
    );
    await assert.rejects(people.changeCluster("alex", "one", { identityRef: shared }), isInvalid);
  });

  const shownNamespaces = async (name: string) => {
    const { status } = await client.resource<VSphereClusterIdentity>(identities).get({ name });
    return status?.allowedNamespaces;
  };

  it("has an identity kept while clusters use it, and is told of one for any server", async () => {
    await assert.rejects(client.resource(identities).delete({ name: "shared" }), (error) => {
      assert.ok(isForbidden(error));
      assert.match(String(error), /2 VSphereClusters use it: stacy-1\/a, stacy-2\/a; delete them/);
      return true;
    });
    warnings.length = 0;
    const allowedNamespaces = { list: ["stacy-1"] };
    await people.makeIdentity("anywhere", { secretName: "account", allowedNamespaces });
    assert.match(warnings.join(), /spec\.allowedServers is not set/);
    assert.doesNotMatch(warnings.join(), /every namespace/);
    const patch = { spec: { allowedNamespaces: { list: [] } } };
    await client.resource(identities).patch({ name: "anywhere" }, { type: "merge", patch });
    assert.match(warnings.join(), /allowedNamespaces is empty: clusters in every namespace may/);
    await waitFor(async () => (await shownNamespaces("anywhere")) === "all", {
      what: "the identity to show whom it is for",
    });
    await client.resource(identities).delete({ name: "anywhere" });
  });

  it("learns why a machine cannot be cloned", async () => {
    await user.makeMachine("legacy", "lost", { cluster: "a", template: "none" });
    const message = /could not find what spec\.template names, "none"/;
    await user.machineSays("legacy", "lost", message);
    await user.deleteMachine("legacy", "lost");
  });

  it("has machines left alone while they or their cluster are paused", async () => {
    const key = { namespace: "legacy", name: "later" };
    const paused = "cluster.x-k8s.io/paused";
    await user.makeMachine("legacy", "later", { cluster: "a", annotations: { [paused]: "" } });
    await waitFor(
      async () => {
        const { metadata, status } = await client.resource<VSphereMachine>(machines).get(key);
        const isPaused = getCondition(status?.conditions, "Paused")?.status === "True";
        return isPaused && metadata.ownerReferences?.length === 1;
      },
      { what: "the machine to be owned, and to say that it is paused" },
    );
    const vms = client.resource<VSphereVM>(virtualMachines);
    await assert.rejects(vms.get(key), isNotFound);
    await user.pause("legacy", "a", true);
    await waitFor(
      async () => {
        const { status } = await people.cluster("legacy", "a");
        return getCondition(status?.conditions, "Paused")?.status === "True";
      },
      { what: "the provider to know that the cluster is paused" },
    );
    const patch = { metadata: { annotations: { [paused]: null } } };
    await client.resource(machines).patch(key, { type: "merge", patch });
    await assert.rejects(vms.get(key), isNotFound);
    await user.pause("legacy", "a", false);
    await user.boot(first, "legacy", "later", "10.0.0.10");
    await user.machineIs("legacy", "later", "Provisioned");
  });

  it("makes machines from a template, which says what they have and stays as it is", async () => {
    await user.makeMachineSet("legacy", "set", { cluster: "a", replicas: 2 });
    const templates = client.resource<VSphereMachineTemplate>(machineTemplates);
    const template = await waitFor(
      async () => {
        const found = await templates.get({ namespace: "legacy", name: "set" });
        return found.status?.capacity && found;
      },
      { what: "the capacity of the template" },
    );
    assert.deepEqual(template.status?.capacity, { cpu: "2", memory: "2048Mi" });
    const change = { spec: { template: { spec: { numCPUs: 8 } } } };
    const key = { namespace: "legacy", name: "set" };
    await assert.rejects(templates.patch(key, { type: "merge", patch: change }), isInvalid);
    const names = await waitFor(
      async () => {
        const { items } = await client
          .resource<VSphereVM>(virtualMachines)
          .list({ namespace: "legacy" });
        const made = items.flatMap(({ metadata: { name = "" } }) =>
          /^set-/.test(name) ? name : [],
        );
        return made.length === 2 && made;
      },
      { what: "two virtual machines" },
    );
    for (const [index, name] of names.entries()) {
      await user.boot(first, "legacy", name, `10.0.1.${index + 1}`);
      await user.machineIs("legacy", name, "Provisioned");
    }
  });

  it("provisions machines by the contract v1beta1 as well", async () => {
    const key = "cluster.x-k8s.io/v1beta2";
    const labelled = [clusters, machines].map(({ plural, group }) => `${plural}.${group}`);
    const label = (value: string | null) =>
      Promise.all(
        labelled.map((name) =>
          kubernetes.request(
            "PATCH",
            `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
            {
              body: { metadata: { labels: { [key]: value } } },
            },
          ),
        ),
      );
    await label(null);
    await user.makeCluster("alex", "older", { server: first.server });
    await user.makeMachine("alex", "older", { cluster: "older" });
    await user.boot(first, "alex", "older", "10.0.0.11");
    const { spec } = await user.machineIs("alex", "older", "Provisioned");
    assert.match(spec?.providerID ?? "", /^vsphere:\/\//);
    await label("v1beta1");
  });

  it("deletes machines from the vCenter, and clusters after them", async () => {
    await client.resource(coreResources.clusters).delete({ namespace: "legacy", name: "a" });
    await waitFor(
      () =>
        client
          .resource<VSphereCluster>(clusters)
          .get({ namespace: "legacy", name: "a" })
          .then(() => false, isNotFound),
      { what: "the VSphereCluster to go", timeout: patience },
    );
    const left = (await namesOn(first)).filter((name) => /^(worker|later|set-)/.test(name ?? ""));
    assert.deepEqual(left, []);
  });
});
