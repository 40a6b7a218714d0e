import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  clusterApiSource,
  createTemporaryFolder,
  type Kubernetes,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { coreResources } from "./core-user.ts";
import {
  accountKubeconfig,
  installComponents,
  releaseObjects,
  startInstalled,
  systemNamespace,
} from "./installation.ts";
import { makeOwnedMachine, sayAsCore } from "./owned-machine.ts";
import { clusters, machines, virtualMachines } from "./provider-resources.ts";
import { RunningManager } from "./running-manager.ts";
import { adminClient, gone, People } from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const kinds =
  /^(clusters|machines|machinedeployments|kubeadmcontrolplanes|kubeadmconfigtemplates)\./;

describe("the provider as it is installed", { skip }, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let simulator: Simulator;
  let folder: TemporaryFolder;
  let manager: RunningManager;

  before(async () => {
    const accounts = {
      observer: "observer",
      controller: "hush-c",
      shared: "hush-s",
      team: "hush-t",
    };
    [kubernetes, simulator, folder] = await Promise.all([
      startInstalled(kinds),
      startSimulator({ accounts }),
      createTemporaryFolder("vsphere-manager"),
    ]);
    client = await adminClient(kubernetes);
    people = new People(client);
    await installComponents(client);
  });
  after(async () => {
    await manager?.[Symbol.asyncDispose]();
    await client.destroy();
    await Promise.all([kubernetes, simulator, folder].map((one) => one[Symbol.asyncDispose]()));
  });

  const sessionsOf = async (user: string) => {
    await using vcenter = await observe(simulator);
    return (await listSessions(vcenter)).filter(({ userName }) => userName === user).length;
  };
  const writeCredentials = async (keys: Readonly<Record<string, string>>): Promise<string> => {
    const path = join(folder.path, "credentials");
    await mkdir(path, { recursive: true });
    for (const [key, value] of Object.entries(keys)) await writeFile(join(path, key), value);
    return path;
  };

  it("has cluster templates that an API server takes", async () => {
    await people.makeNamespace("templates");
    const variables = {
      CLUSTER_NAME: "a",
      NAMESPACE: "templates",
      KUBERNETES_VERSION: "v1.34.4",
      VSPHERE_SERVER: "vc.example",
      VSPHERE_USERNAME: "u",
      VSPHERE_PASSWORD: "p",
      CONTROL_PLANE_ENDPOINT_IP: "10.0.0.9",
      VSPHERE_TEMPLATE: "t",
      VSPHERE_NETWORK: "n",
      VSPHERE_DATACENTER: "d",
      VSPHERE_DATASTORE: "s",
      VSPHERE_FOLDER: "f",
      VSPHERE_RESOURCE_POOL: "r",
      VSPHERE_IDENTITY: "i",
    };
    for (const flavor of ["", "-identity", "-no-machines"]) {
      const file = `cluster-template${flavor}.yaml`;
      for (const object of releaseObjects(file, variables)) {
        const resource = await client.kind<KubeObject>(object);
        await resource.create(object, { dryRun: true, fieldValidation: "Strict" });
      }
    }
  });

  it("runs with the rights of its own account, and with nothing forbidden", async () => {
    const log = join(folder.path, "manager.log");
    const servers = `${simulator.server}\n`;
    const credentials = await writeCredentials({
      username: "controller",
      password: "hush-c",
      servers,
    });
    const authorities = join(folder.path, "ca.crt");
    await writeFile(authorities, simulator.ca);
    manager = await RunningManager.start({
      kubeconfig: await accountKubeconfig(kubernetes),
      namespace: systemNamespace,
      log,
      args: [
        "--leader-elect",
        // One that gets no processor for a while is not to end for it.
        "--leader-elect-lease-duration=120s",
        "--leader-elect-renew-deadline=100s",
        `--credentials-dir=${credentials}`,
        `--vcenter-ca-file=${authorities}`,
      ],
    });
    await makeOneOfEach();
    for (const name of ["a", "secret", "identity"]) {
      await people.clusterIs("team", name, "Available");
    }
    await people.makeMachine("team", "one", {});
    await people.machineIs("team", "one", "WaitingForAddress");
    const status = { initialization: { infrastructureProvisioned: true } };
    await sayAsCore(client, coreResources.clusters, { namespace: "team", name: "a", status });
    await makeOwnedMachine(client, { namespace: "team", name: "owned", cluster: "a" });
    await people.machineIs("team", "owned", "WaitingForAddress");
    assert.doesNotMatch(JSON.stringify(await manager.lines()), /forbidden/i);
  });

  it("counts its sessions, and logs no password", async () => {
    const metrics = await manager.metrics();
    assert.match(metrics, new RegExp(`vsphere_sessions\\{server="${simulator.server}"\\} 3\n`));
    assert.match(metrics, /^vsphere_logins_total 3$/m);
    assert.doesNotMatch(JSON.stringify(await manager.lines()), /hush/);
  });

  it("takes its own password anew where it is mounted", async () => {
    const accounts = {
      observer: "observer",
      controller: "hush-new",
      shared: "hush-s",
      team: "hush-t",
    };
    await simulator.setAccounts(accounts);
    await writeCredentials({ password: "hush-new" });
    await people.makeCluster("team", "later", { server: simulator.server });
    await people.clusterIs("team", "later", "Available");
  });

  it("lets everything go again", async () => {
    await client.resource(virtualMachines).delete({ namespace: "team", name: "one" });
    await gone(() => people.virtualMachine("team", "one"), "the machine");
    await client.resource(machines).delete({ namespace: "team", name: "owned" });
    await gone(() => people.virtualMachine("team", "owned"), "the machine of a Machine");
    await client.resource(clusters).delete({ namespace: "team", name: "identity" });
    await gone(() => people.cluster("team", "identity"), "the cluster");
    await waitFor(async () => (await sessionsOf("shared")) === 0, { what: "the logout" });
    assert.doesNotMatch(JSON.stringify(await manager.lines()), /forbidden/i);
  });

  it("logs out everywhere when it is asked to end", async () => {
    assert.ok((await sessionsOf("team")) > 0);
    await manager[Symbol.asyncDispose]();
    for (const user of ["controller", "team"]) assert.equal(await sessionsOf(user), 0, user);
  });

  async function makeOneOfEach(): Promise<void> {
    const { server } = simulator;
    await people.makeNamespace("team");
    await people.makeCluster("team", "a", { server });
    await people.makeSecret("team", "secret", { username: "team", password: "hush-t" });
    await people.makeCluster("team", "secret", {
      server,
      identityRef: { kind: "Secret", name: "secret" },
    });
    await people.makeSecret(systemNamespace, "shared", { username: "shared", password: "hush-s" });
    await people.makeIdentity("shared", {
      secretName: "shared",
      allowedNamespaces: { list: ["team"] },
      allowedServers: [server],
    });
    await people.makeCluster("team", "identity", {
      server,
      identityRef: { kind: "VSphereClusterIdentity", name: "shared" },
    });
  }
});
