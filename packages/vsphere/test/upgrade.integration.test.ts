import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import { getCondition } from "@rookery/kube";
import {
  clusterApiSource,
  createTemporaryFolder,
  type Kubernetes,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { leaveAsBefore, machineOn, ownSecretAs } from "./before-servers.ts";
import { CoreUser } from "./core-user.ts";
import {
  accountKubeconfig,
  installComponents,
  startInstalled,
  systemNamespace,
} from "./installation.ts";
import { type RecordingVCenter, recordCalls } from "./recording-vcenter.ts";
import { RunningManager } from "./running-manager.ts";
import {
  adminClient,
  gone,
  identities,
  machines,
  People,
  patience,
  RunningProvider,
} from "./running-provider.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));

/** Everything was made when an identity could be used with any server; the manager is as it ships. */
describe("a plane from before servers had to be listed, with the manager as it ships", {
  skip,
}, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let good: Simulator;
  let evil: RecordingVCenter;
  let folder: TemporaryFolder;
  let manager: RunningManager;
  let biosUuid = "";
  const open = { kind: "VSphereClusterIdentity", name: "open" } as const;
  const at = ({ server, thumbprint }: Pick<Simulator, "server" | "thumbprint">) => ({
    server,
    thumbprint,
  });

  before(async () => {
    const accounts = { observer: "observer", shared: "hush-s", team: "hush-t" };
    [kubernetes, good, folder] = await Promise.all([
      startInstalled(/^(clusters|machines)\./),
      startSimulator({ accounts }),
      createTemporaryFolder("vsphere-upgrade"),
    ]);
    evil = await recordCalls(good);
    client = await adminClient(kubernetes);
    people = new People(client);
    await installComponents(client);
    await writeFile(join(folder.path, "ca.crt"), good.ca);
    await liveBefore();
    manager = await start();
  });
  after(async () => {
    await manager?.[Symbol.asyncDispose]();
    await client.destroy();
    await evil[Symbol.asyncDispose]();
    await Promise.all([kubernetes, good, folder].map((one) => one[Symbol.asyncDispose]()));
  });

  const serverCondition = async (name: string) =>
    getCondition((await people.cluster("team", name)).status?.conditions, "ServerAllowed");

  it("lets a cluster keep its server, and a condition names what to add", async () => {
    const found = await waitFor(
      async () => {
        const condition = await serverCondition("a");
        return condition?.reason === "KeptFromBefore" && condition;
      },
      { what: "the condition", timeout: patience },
    );
    assert.equal(found.status, "False");
    assert.match(found.message, new RegExp(`--vcenter-server=${good.server}`));
    assert.match(found.message, /spec\.allowedServers of the identity/);
    const { status } = await people.clusterIs("team", "a", "Available");
    assert.deepEqual([status?.ready, status?.connection?.kept], [true, true]);
  });

  it("lets a cluster with a Secret of its own keep a server in a network that is closed now", async () => {
    await people.clusterIs("team", "own", "Available");
    assert.equal((await serverCondition("own"))?.reason, "KeptFromBefore");
  });

  it("leaves machines alone, and writes on them whose they are", async () => {
    await waitFor(async () => /rookery\.namespace.*team/.test((await there())?.text ?? ""), {
      what: "the machine to have its namespace",
    });
    const vm = await people.machineIs("team", "m", "Running");
    assert.equal(vm.spec.biosUUID, biosUuid);
    assert.match((await there())?.text ?? "", /poweredOn/);
  });

  it("refuses a server that a cluster was changed to while no manager ran", async () => {
    const { status } = await people.clusterIs("team", "turned", "ServerNotAllowed");
    assert.equal(status?.connection, undefined);
    assert.doesNotMatch(evil.calls.map(({ body }) => body).join(), /hush-s/);
  });

  it("refuses what is new, with both ways out", async () => {
    await people.makeCluster("team", "new", { ...at(good), identityRef: open });
    const { status } = await people.clusterIs("team", "new", "ServerNotAllowed");
    const { message = "" } = getCondition(status?.conditions, "Ready") ?? {};
    assert.match(message, /--vcenter-server=.*, or set spec\.allowedServers of the identity/);
  });

  it("lets two identities keep the Secret that both own, and gives it to no third", async () => {
    await people.identityIs("open", "Ready");
    await people.identityIs("twin", "Ready");
    const identity = client.resource<VSphereClusterIdentity>(identities);
    await people.makeIdentity("third", (await identity.get({ name: "twin" })).spec);
    await people.identityIs("third", "SecretAlreadyInUse");
  });

  it("lets no cluster beside the manager use the Secret of an identity any more", async () => {
    const cluster = await waitFor(
      async () => {
        const found = await people.cluster(systemNamespace, "thief");
        const ready = getCondition(found.status?.conditions, "Ready");
        return ready?.reason === "SecretAlreadyInUse" && ready;
      },
      { what: "the cluster to be refused" },
    );
    assert.match(cluster.message, /belongs to the VSphereClusterIdentity (open|twin); name the/);
  });

  it("keeps all that after a restart of the manager", async () => {
    await manager[Symbol.asyncDispose]();
    manager = await start();
    await people.clusterIs("team", "a", "Available");
    assert.equal((await serverCondition("a"))?.reason, "KeptFromBefore");
  });

  it("is as if new once the flag lists the server", async () => {
    await manager[Symbol.asyncDispose]();
    manager = await start(`--vcenter-server= ${good.server},other.example `);
    for (const name of ["a", "own", "new"]) {
      await people.clusterIs("team", name, "Available");
      await waitFor(async () => (await serverCondition(name))?.status === "True", {
        what: `${name} to be allowed`,
      });
      assert.equal((await people.cluster("team", name)).status?.connection?.kept, undefined);
    }
    await people.clusterIs("team", "turned", "ServerNotAllowed");
  });

  it("does not keep what was listed, and is listed no more", async () => {
    await manager[Symbol.asyncDispose]();
    manager = await start("--vcenter-server=other.example");
    await people.clusterIs("team", "a", "ServerNotAllowed");
  });

  it("deletes a machine from before when its cluster may be used", async () => {
    await manager[Symbol.asyncDispose]();
    manager = await start(`--vcenter-server=${good.server}`);
    await people.clusterIs("team", "a", "Available");
    await client.resource(machines).delete({ namespace: "team", name: "m" });
    await gone(() => people.virtualMachine("team", "m"), "the machine");
    assert.equal(await there(), undefined);
  });

  const there = () => machineOn(good, biosUuid);

  async function start(...more: string[]): Promise<RunningManager> {
    return RunningManager.start({
      kubeconfig: await accountKubeconfig(kubernetes),
      namespace: systemNamespace,
      log: join(folder.path, `manager-${performance.now()}.log`),
      args: [`--vcenter-ca-file=${join(folder.path, "ca.crt")}`, ...more],
    });
  }

  /** An identity in the seed's shape, and clusters that use it; then the manager stops. */
  async function liveBefore(): Promise<void> {
    await people.makeNamespace("team");
    await people.makeSecret(systemNamespace, "open", { username: "shared", password: "hush-s" });
    const spec = { secretName: "open", allowedNamespaces: {} };
    await people.makeIdentity("open", spec);
    await people.makeSecret("team", "own", { username: "team", password: "hush-t" });
    {
      const options = { credentialsNamespace: systemNamespace, ca: good.ca };
      await using _ = await RunningProvider.start(kubernetes, {
        ...options,
        identitiesAnyServer: true,
      });
      for (const name of ["a", "turned"]) {
        await people.makeCluster("team", name, { ...at(good), identityRef: open });
        await people.clusterIs("team", name, "Available");
      }
      const own = { kind: "Secret", name: "own" } as const;
      await people.makeCluster("team", "own", { ...at(good), identityRef: own });
      await people.clusterIs("team", "own", "Available");
      await people.makeMachine("team", "m", {});
      await new CoreUser(client, people).boot(good, "team", "m", "10.0.0.7");
      biosUuid = (await people.machineIs("team", "m", "Running")).spec.biosUUID ?? "";
    }
    await leaveAsBefore(client, "team", good);
    await people.makeIdentity("twin", spec);
    await ownSecretAs(client, "twin", { namespace: systemNamespace, name: "open" });
    await people.changeCluster("team", "turned", at(evil));
    await people.makeCluster(systemNamespace, "thief", {
      ...at(good),
      identityRef: { kind: "Secret", name: "open" },
    });
  }
});
