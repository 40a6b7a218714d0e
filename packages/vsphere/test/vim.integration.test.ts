import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type RequestError, ThumbprintMismatchError } from "@rookery/http";
import { waitFor } from "@rookery/testing";
import { isFault } from "../src/errors.ts";
import { connectVCenter, type VCenter } from "../src/vim/connect.ts";
import {
  findByInventoryPath,
  findVirtualMachineByUuid,
  listObjects,
} from "../src/vim/inventory.ts";
import type { ManagedObjectReference } from "../src/vim/managed-object.ts";
import { retrieveProperties } from "../src/vim/properties.ts";
import { PropertyStream } from "../src/vim/property-stream.ts";
import { currentSession, login, logout } from "../src/vim/session.ts";
import type { TaskInfo } from "../src/vim/tasks.ts";
import {
  cloneVirtualMachine,
  destroy,
  powerOff,
  powerOn,
  reconfigureVirtualMachine,
} from "../src/vim/virtual-machine.ts";
import { childrenOf, textAt, textOf } from "../src/vim/xml-reader.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions, terminateSessions, waitForTask } from "./vim-calls.ts";

const skip = await simulatorUnavailable();
const administrator = { username: "administrator", password: "secret" };

describe("a vCenter", { skip }, () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
  });
  after(() => simulator[Symbol.asyncDispose]());

  const connect = () => connectVCenter({ server: simulator.server, ca: simulator.ca });
  const loggedIn = async (): Promise<VCenter> => {
    const vcenter = await connect();
    await login(vcenter, administrator);
    return vcenter;
  };

  it("says what it is before anyone logs in", async () => {
    await using vcenter = await connect();
    assert.match(vcenter.about.fullName, /vCenter/);
    assert.match(vcenter.about.version, /^\d+\.\d+/);
    assert.ok(vcenter.about.instanceUuid);
  });

  it("is known by its thumbprint as well as by its authority", async () => {
    const { server, thumbprint } = simulator;
    await using vcenter = await connectVCenter({ server, thumbprint });
    assert.ok(vcenter.about.version);
  });

  it("is not trusted with another thumbprint, without an authority, or by nothing", async () => {
    const { server } = simulator;
    const wrong = "00:".repeat(19).concat("00");
    await assert.rejects(connectVCenter({ server, thumbprint: wrong }), (error: RequestError) => {
      return error.code === "TlsFailed" && error.cause instanceof ThumbprintMismatchError;
    });
    await assert.rejects(connectVCenter({ server }), { code: "TrustMissing" });
    await assert.rejects(connectVCenter({ server: "https://a/b", ca: "x" }), {
      code: "InvalidServer",
    });
  });

  it("refuses a wrong password, and calls of nobody", async () => {
    await using vcenter = await connect();
    const wrong = { ...administrator, password: '<wrong> & "quoted"' };
    await assert.rejects(login(vcenter, wrong), { fault: "InvalidLogin", method: "Login" });
    await assert.rejects(
      listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] }),
      (error) => isFault(error, "NotAuthenticated"),
    );
  });

  it("takes passwords and names with any character", async () => {
    const password = "a<b>&\"c'ü€\u{1F600} ";
    await simulator.setAccounts({ administrator: "secret", "DOM\\ü&<": password });
    await using vcenter = await connect();
    const session = await login(vcenter, { username: "DOM\\ü&<", password });
    assert.equal(session.userName, "DOM\\ü&<");
    await logout(vcenter);
  });

  it("keeps a session until it is logged out or ended", async () => {
    await using vcenter = await loggedIn();
    await using other = await loggedIn();
    const session = await currentSession(vcenter);
    assert.ok(session);
    assert.ok((await listSessions(other)).some(({ key }) => key === session.key));
    await terminateSessions(other, [session.key]);
    assert.equal(await currentSession(vcenter).catch(notAuthenticated), undefined);
    await logout(other);
    assert.equal(await currentSession(other).catch(notAuthenticated), undefined);
  });

  it("lists what it has, and finds things by path and UUID", async () => {
    await using vcenter = await loggedIn();
    const machines = await listObjects(vcenter, {
      type: "VirtualMachine",
      paths: ["name", "config.uuid", "config.instanceUuid"],
    });
    assert.ok(machines.length >= 2);
    for (const { object, properties } of machines) {
      const path = `/DC0/vm/${textOf(properties.get("name"))}`;
      assert.deepEqual(await findByInventoryPath(vcenter, path), object);
      for (const [kind, name] of [
        ["bios", "config.uuid"],
        ["instance", "config.instanceUuid"],
      ] as const) {
        const uuid = textOf(properties.get(name)) ?? "";
        assert.deepEqual(await findVirtualMachineByUuid(vcenter, { uuid, kind }), object);
      }
    }
    assert.equal(await findByInventoryPath(vcenter, "/DC0/vm/none"), undefined);
    await logout(vcenter);
  });

  it("reads no property of an object that is gone", async () => {
    await using vcenter = await loggedIn();
    const gone = { type: "VirtualMachine", value: "vm-none" };
    await assert.rejects(retrieveProperties(vcenter, [gone], { paths: ["name"] }), (error) =>
      isFault(error, "ManagedObjectNotFound"),
    );
    assert.deepEqual(await retrieveProperties(vcenter, [], { paths: ["name"] }), []);
    await logout(vcenter);
  });

  it("clones, configures, powers and destroys a machine, each as a task", async () => {
    await using vcenter = await loggedIn();
    const stream = new PropertyStream(vcenter);
    const states: string[] = [];
    const onProgress = ({ state }: TaskInfo) => states.push(state);
    const instanceUuid = "5e0a1b2c-0000-4000-8000-00000000002a";
    const userdata = Buffer.from("#cloud-config\n<&>").toString("base64");
    const task = await cloneVirtualMachine(vcenter, {
      source: await find(vcenter, "/DC0/vm/DC0_H0_VM0"),
      name: "a & b",
      folder: await find(vcenter, "/DC0/vm"),
      pool: await find(vcenter, "/DC0/host/DC0_C0/Resources"),
      datastore: await find(vcenter, "/DC0/datastore/LocalDS_0"),
      config: {
        instanceUuid,
        numCPUs: 4,
        memoryMiB: 2048,
        extraConfig: { "guestinfo.userdata": userdata },
      },
    });
    const machine = await waitForTask(stream, task, { onProgress });
    assert.ok(machine);
    assert.equal(states.at(-1), "success");
    assert.deepEqual(
      await findVirtualMachineByUuid(vcenter, { uuid: instanceUuid, kind: "instance" }),
      machine,
    );

    const change = { numCPUs: 2, annotation: "made by\r\na test & <more>" };
    await waitForTask(stream, await reconfigureVirtualMachine(vcenter, machine, change));
    await waitForTask(stream, await powerOn(vcenter, machine));
    const paths = ["name", "config.hardware.numCPU", "runtime.powerState", "config.annotation"];
    const [read] = await retrieveProperties(vcenter, [machine], { paths });
    assert.deepEqual(
      paths.map((path) => textOf(read?.properties.get(path))),
      ["a & b", "2", "poweredOn", change.annotation],
    );

    const [{ properties } = assert.fail("it is gone")] = await retrieveProperties(
      vcenter,
      [machine],
      { paths: ["config.extraConfig"] },
    );
    const options = childrenOf(properties.get("config.extraConfig"), "OptionValue");
    assert.ok(options.some((option) => textAt(option, "value") === userdata));

    await assert.rejects(waitForTask(stream, await destroy(vcenter, machine)), {
      code: "TaskFailed",
      fault: "InvalidPowerState",
    });
    await waitForTask(stream, await powerOff(vcenter, machine));
    await waitForTask(stream, await destroy(vcenter, machine));
    assert.equal(
      await findVirtualMachineByUuid(vcenter, { uuid: instanceUuid, kind: "instance" }),
      undefined,
    );
    await logout(vcenter);
  });

  it("tells a task that failed by its fault", async () => {
    await using vcenter = await loggedIn();
    const stream = new PropertyStream(vcenter);
    const source = await find(vcenter, "/DC0/vm/DC0_H0_VM0");
    const task = await cloneVirtualMachine(vcenter, {
      source,
      name: "DC0_H0_VM1",
      folder: await find(vcenter, "/DC0/vm"),
      pool: await find(vcenter, "/DC0/host/DC0_C0/Resources"),
    });
    await assert.rejects(waitForTask(stream, task), { code: "TaskFailed", fault: "DuplicateName" });
    await logout(vcenter);
  });

  it("streams the changes of many objects over one open call", async () => {
    await using vcenter = await loggedIn();
    const stream = new PropertyStream(vcenter);
    const machines = await listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });
    const seen = new Map<string, string | undefined>();
    const watched = await Promise.all(
      machines.map(({ object }) =>
        stream.watch({
          object,
          paths: ["runtime.powerState"],
          onChange: (known) => seen.set(object.value, textOf(known.get("runtime.powerState"))),
          onEnd: () => seen.delete(object.value),
        }),
      ),
    );
    const all = (state: string) => () =>
      seen.size === machines.length && [...seen.values()].every((found) => found === state);
    await waitFor(all("poweredOff"), { what: "the states as they are" });
    for (const { object } of machines) await powerOn(vcenter, object);
    await waitFor(all("poweredOn"), { what: "the states as they have become" });
    for (const { object } of machines) await powerOff(vcenter, object);
    await waitFor(all("poweredOff"), { what: "the states as they were" });
    for (const watch of watched) await watch.stop();
    await logout(vcenter);
  });

  it("ends what waits when its session is ended, and takes it up in another", async () => {
    await using vcenter = await loggedIn();
    await using other = await loggedIn();
    const session = await currentSession(vcenter);
    const stream = new PropertyStream(vcenter);
    const ended = Promise.withResolvers<Error>();
    const begun = Promise.withResolvers<void>();
    await stream.watch({
      object: await find(vcenter, "/DC0/vm/DC0_H0_VM0"),
      paths: ["name"],
      onChange: () => begun.resolve(),
      onEnd: ended.resolve,
    });
    await begun.promise;
    await terminateSessions(other, [session?.key ?? ""]);
    // The open call belongs to the session that is gone; the next one says so.
    await powerOn(other, await find(other, "/DC0/vm/DC0_H0_VM0"));
    await waitForTask(
      new PropertyStream(other),
      await powerOff(other, await find(other, "/DC0/vm/DC0_H0_VM0")),
    );
    await assert.rejects(currentSession(vcenter).then(failUnlessGone), /gone|NotAuthenticated/);
    await logout(other);
    await vcenter.destroy();
    assert.ok((await ended.promise) instanceof Error);
  });

  it("stops waiting for a task when it is told to", async () => {
    await using vcenter = await loggedIn();
    const leave = AbortSignal.abort(new Error("enough"));
    const stream = new PropertyStream(vcenter);
    const machine = await find(vcenter, "/DC0/vm/DC0_H0_VM1");
    const task = await powerOn(vcenter, machine);
    await assert.rejects(waitForTask(stream, task, { signal: leave }), /enough/);
    await waitForTask(stream, await powerOff(vcenter, machine));
    await logout(vcenter);
  });
});

async function find(vcenter: VCenter, path: string): Promise<ManagedObjectReference> {
  const found = await findByInventoryPath(vcenter, path);
  assert.ok(found, path);
  return found;
}

function notAuthenticated(error: unknown): undefined {
  if (!isFault(error, "NotAuthenticated")) throw error;
}

function failUnlessGone(session: unknown): void {
  if (session === undefined) throw new Error("gone");
}
