import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { VSphereVM } from "@rookery/api";
import type { Client } from "@rookery/client";
import { isNotFound } from "@rookery/kube";
import { clusterApiSource, type Kubernetes, waitFor, whyUnavailable } from "@rookery/testing";
import { connectVCenter, type VCenter } from "../src/vim/connect.ts";
import { findVirtualMachineByUuid, listObjects } from "../src/vim/inventory.ts";
import { retrieveProperties } from "../src/vim/properties.ts";
import { PropertyStream } from "../src/vim/property-stream.ts";
import { login } from "../src/vim/session.ts";
import { destroy, powerOff, reconfigureVirtualMachine } from "../src/vim/virtual-machine.ts";
import { childrenOf, textAt, textOf } from "../src/vim/xml-reader.ts";
import {
  adminClient,
  clusters,
  machines,
  People,
  patience,
  RunningProvider,
  secrets,
  startKubernetesWithKinds,
} from "./running-provider.ts";
import { makeTag } from "./tags.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { waitForTask } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));

describe("machines on a vCenter", { skip }, () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let people: People;
  let simulator: Simulator;
  let vcenter: VCenter;
  let provider: RunningProvider;

  const startProvider = () =>
    RunningProvider.start(kubernetes, {
      credentialsNamespace: "default",
      ca: simulator.ca,
      own: {
        read: async () => ({ username: "controller", password: "c", servers: [simulator.server] }),
        servers: async () => [simulator.server],
      },
    });
  before(async () => {
    [kubernetes, simulator] = await Promise.all([
      startKubernetesWithKinds(),
      startSimulator({ accounts: { controller: "c", guest: "g" } }),
    ]);
    client = await adminClient(kubernetes);
    people = new People(client);
    vcenter = await connectVCenter({ server: simulator.server, ca: simulator.ca });
    await login(vcenter, { username: "guest", password: "g" });
    provider = await startProvider();
    await people.makeCluster("default", "a", { server: simulator.server });
    await people.clusterIs("default", "a", "Available");
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await vcenter.destroy();
    await client.destroy();
    await Promise.all([kubernetes, simulator].map((one) => one[Symbol.asyncDispose]()));
  });

  const vm = (name: string) =>
    client.resource<VSphereVM>(machines).get({ namespace: "default", name });
  const remove = (name: string) => client.resource(machines).delete({ namespace: "default", name });
  const isGone = (name: string) => () =>
    vm(name).then(
      () => false,
      (error) => isNotFound(error),
    );
  const find = async (name: string) => {
    const uuid = (await vm(name)).metadata.uid ?? "";
    return findVirtualMachineByUuid(vcenter, { uuid, kind: "instance" });
  };
  /** What no simulator does by itself: the guest gets an address. */
  const giveAddress = (name: string, ipAddress: string) => setGuest(name, { ipAddress });
  const setGuest = async (name: string, guest: Readonly<Record<string, string>>) => {
    const machine = await find(name);
    assert.ok(machine);
    const properties = Object.entries(guest).map(([key, text]) => [`SET.guest.${key}`, text]);
    const extraConfig = Object.fromEntries(properties);
    await reconfigureVirtualMachine(vcenter, machine, { extraConfig });
  };
  const paused = "cluster.x-k8s.io/paused";
  /** Lets the controller look at a machine before the time. */
  const annotate = async (name: string, annotations: Readonly<Record<string, string | null>>) => {
    const patch = { metadata: { annotations } };
    const key = { namespace: "default", name };
    await client.resource(machines).patch(key, { type: "merge", patch });
  };
  const namesOf = async () => {
    const all = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
    return all.map(({ properties }) => textOf(properties.get("name")));
  };

  it("are cloned, told who they are, powered on, and ready with their address", async () => {
    await people.makeMachine("default", "one", { numCPUs: 4, memoryMiB: 4096, diskGiB: 20 });
    await people.machineIs("default", "one", "WaitingForAddress");
    await giveAddress("one", "10.0.0.7");
    const { spec, status } = await people.machineIs("default", "one", "Running");
    assert.deepEqual(status?.addresses, ["10.0.0.7"]);
    assert.equal(status?.ready, true);
    assert.equal(status?.taskRef, undefined);

    const machine = await find("one");
    assert.ok(machine);
    const paths = [
      "config.uuid",
      "config.hardware.numCPU",
      "config.hardware.memoryMB",
      "config.extraConfig",
      "config.hardware.device",
      "runtime.powerState",
    ];
    const [read] = await retrieveProperties(vcenter, [machine], { paths });
    const text = (path: string) => textOf(read?.properties.get(path));
    assert.equal(text("config.uuid"), spec.biosUUID);
    assert.equal(text("config.hardware.numCPU"), "4");
    assert.equal(text("config.hardware.memoryMB"), "4096");
    assert.equal(text("runtime.powerState"), "poweredOn");
    const options = childrenOf(read?.properties.get("config.extraConfig"), "OptionValue");
    const option = (key: string) =>
      Buffer.from(
        textAt(
          options.find((one) => textAt(one, "key") === key),
          "value",
        ) ?? "",
        "base64",
      ).toString();
    assert.equal(option("guestinfo.userdata"), "#cloud-config for one\n");
    const metadata = JSON.parse(option("guestinfo.metadata"));
    assert.equal(metadata["local-hostname"], "one");
    assert.match(metadata.network.ethernets.id0.match.macaddress, /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    const devices = childrenOf(read?.properties.get("config.hardware.device"), "VirtualDevice");
    const sizes = devices.flatMap((device) => textAt(device, "capacityInKB") ?? []);
    assert.ok(sizes.includes(String(20 * 1024 * 1024)), sizes.join());
  });

  it("are never made twice, though the provider is stopped in the middle", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `stopped-${index}`);
    for (const name of names) await people.makeMachine("default", name, {});
    for (let time = 0; time < 3; time++) {
      await provider[Symbol.asyncDispose]();
      provider = await startProvider();
    }
    for (const name of names) await people.machineIs("default", name, "WaitingForAddress");
    const all = (await namesOf()).filter((name) => name?.startsWith("stopped-"));
    assert.deepEqual(all.sort(), names);
  });

  it("are brought to what their spec says before they run: hardware, tags, storage policy", async () => {
    const tag = await makeTag(vcenter, { username: "guest", password: "g" });
    await people.makeMachine("default", "rich", {
      hardwareVersion: "vmx-19",
      storagePolicyName: "vSAN Default Storage Policy",
      tagIDs: [tag.id],
    });
    const { status } = await people.machineIs("default", "rich", "WaitingForAddress");
    assert.equal(status?.cloneMode, "fullClone");
    const machine = await find("rich");
    assert.ok(machine);
    const paths = ["config.version", "datastore"];
    const [read] = await retrieveProperties(vcenter, [machine], { paths });
    assert.equal(textOf(read?.properties.get("config.version")), "vmx-19");
    assert.deepEqual(await tag.objects(), [{ type: machine.type, id: machine.value }]);
  });

  const wrong: Record<string, [Partial<VSphereVM["spec"]>, string, RegExp]> = {
    "a storage policy": [
      { storagePolicyName: "none" },
      "PlacementNotFound",
      /spec\.storagePolicyName names, "none": there is none/,
    ],
    "a tag": [{ tagIDs: ["urn:none"] }, "TagsNotAttached", /urn:none not found/],
    "a snapshot": [{ snapshot: "none" }, "PlacementNotFound", /has no such snapshot/],
  };
  for (const [index, [what, [spec, reason, message]]] of Object.entries(wrong).entries()) {
    it(`say that ${what} is not there, and are not powered on`, async () => {
      const name = `wrong-${index}`;
      await people.makeMachine("default", name, spec);
      const { status } = await people.machineIs("default", name, reason);
      const ready = status?.conditions?.find(({ type }) => type === "Ready");
      assert.match(ready?.message ?? "", message);
      await remove(name);
      await waitFor(isGone(name), { what: "the object to go", timeout: patience });
    });
  }

  it("are not made anew when somebody removes them from the vCenter", async () => {
    await people.makeMachine("default", "removed", {});
    await people.machineIs("default", "removed", "WaitingForAddress");
    await giveAddress("removed", "10.0.0.8");
    await people.machineIs("default", "removed", "Running");
    const machine = await find("removed");
    assert.ok(machine);
    // Otherwise it might be powered on between the two.
    await annotate("removed", { [paused]: "" });
    await waitFor(
      async () => {
        const { status } = await vm("removed");
        return status?.conditions?.some(
          ({ type, status }) => type === "Paused" && status === "True",
        );
      },
      { what: "the machine to be left alone", timeout: patience },
    );
    const stream = new PropertyStream(vcenter);
    await waitForTask(stream, await powerOff(vcenter, machine));
    await waitForTask(stream, await destroy(vcenter, machine));
    await annotate("removed", { [paused]: null });
    await people.machineIs("default", "removed", "NotFoundByBIOSUUID");
    assert.ok(!(await namesOf()).includes("removed"));
    await remove("removed");
    await waitFor(isGone("removed"), { what: "the object to go", timeout: patience });
  });

  it("are powered on again without the data that they started with", async () => {
    await people.makeMachine("default", "restarted", {});
    await people.machineIs("default", "restarted", "WaitingForAddress");
    await giveAddress("restarted", "10.0.0.9");
    await people.machineIs("default", "restarted", "Running");
    await client.resource(secrets).delete({ namespace: "default", name: "restarted" });
    const machine = await find("restarted");
    assert.ok(machine);
    await waitForTask(new PropertyStream(vcenter), await powerOff(vcenter, machine));
    await annotate("restarted", { looked: "at" });
    await waitFor(
      async () => {
        const paths = ["runtime.powerState"];
        const [read] = await retrieveProperties(vcenter, [machine], { paths });
        return textOf(read?.properties.get("runtime.powerState")) === "poweredOn";
      },
      { what: "the machine to be powered on", timeout: patience },
    );
    await remove("restarted");
    await waitFor(isGone("restarted"), { what: "the object to go", timeout: patience });
  });

  it("are shut down by their guest where their spec says so", async () => {
    await people.makeMachine("default", "soft", { powerOffMode: "soft" });
    await people.machineIs("default", "soft", "WaitingForAddress");
    await remove("soft");
    const { status } = await people.machineIs("default", "soft", "GuestSoftPowerOffFailed");
    const soft = status?.conditions?.find(({ type }) => type === "GuestSoftPowerOffSucceeded");
    assert.equal(soft?.reason, "Failed");
    // With its tools, the guest can be asked; its power is never taken away.
    await setGuest("soft", { toolsRunningStatus: "guestToolsRunning" });
    await waitFor(isGone("soft"), { what: "the object to go", timeout: patience });
    assert.ok(!(await namesOf()).includes("soft"));
  });

  it("lose their power where the guest cannot be asked and need not", async () => {
    await people.makeMachine("default", "try-soft", { powerOffMode: "trySoft" });
    await people.machineIs("default", "try-soft", "WaitingForAddress");
    await remove("try-soft");
    await waitFor(isGone("try-soft"), { what: "the object to go", timeout: patience });
  });

  it("say what is not on the vCenter", async () => {
    await people.makeMachine("default", "lost", { template: "none" });
    const { status } = await people.machineIs("default", "lost", "PlacementNotFound");
    const message = status?.conditions?.find(({ type }) => type === "Ready")?.message ?? "";
    assert.equal(message, 'could not find what spec.template names, "none": there is none');
    await remove("lost");
    await waitFor(isGone("lost"), { what: "the object to go", timeout: patience });
  });

  it("are powered off and destroyed before their object goes", async () => {
    const machine = await find("one");
    assert.ok(machine);
    await remove("one");
    await waitFor(isGone("one"), { what: "the object to go", timeout: patience });
    assert.ok(!(await namesOf()).includes("one"));
  });

  it("keep their cluster until they are gone", async () => {
    await client.resource(clusters).delete({ namespace: "default", name: "a" });
    const cluster = await people.clusterIs("default", "a", "Deleting");
    assert.ok(cluster.metadata.deletionTimestamp);
    await client.resource(machines).deleteCollection({ namespace: "default" });
    await waitFor(
      () =>
        people.cluster("default", "a").then(
          () => false,
          (error) => isNotFound(error),
        ),
      { what: "the cluster to go", timeout: patience },
    );
    const left = (await namesOf()).filter((name) => /^stopped/.test(name ?? ""));
    assert.deepEqual(left, []);
  });
});
