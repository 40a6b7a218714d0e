import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import { builtInResources } from "@rookery/kube";
import {
  type Child,
  createTemporaryFolder,
  startChild,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { mainFile } from "../../src/local/own-process.ts";

const timeout = 120_000;
const unshare = "unshare";
const skip = whyNoMounts();

/** Mounts of one's own are what these are made with; nobody else sees them, and they go with their process. */
function whyNoMounts(): string | false {
  try {
    execFileSync(unshare, ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
    return false;
  } catch {
    return "nobody may mount here";
  }
}

/** Runs the command where something is mounted at a folder. */
function startOn(folder: TemporaryFolder, mount: string, args: readonly string[]): Promise<Child> {
  const script = `${mount} && shift && exec "$@"`;
  return startChild({
    name: "rookery on a disk of its own",
    command: unshare,
    args: [
      ...["--mount", "sh", "-c", script, "sh", join(folder.path, "disk")],
      ...[process.execPath, mainFile(), ...args, "--data", join(folder.path, "disk", "data")],
    ],
    log: join(folder.path, "output"),
    grace: 60_000,
  });
}

async function emptyDisk(): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder("disk");
  await mkdir(join(folder.path, "disk"));
  return folder;
}

/** Takes what is left of it. */
function fill(file: string): void {
  const descriptor = openSync(file, "w");
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  } finally {
    closeSync(descriptor);
  }
}

describe("a disk", { skip }, () => {
  for (const command of ["start", "local up"]) {
    it(`that nobody may write to: "rookery ${command}" says so, and the way out`, async () => {
      await using folder = await emptyDisk();
      const readOnly = 'mount -t tmpfs -o ro tmpfs "$1"';
      await using child = await startOn(folder, readOnly, command.split(" "));
      await child.whenEnded();
      assert.equal(child.ending, "exit code 1");
      assert.equal(
        await readFile(child.log, "utf8"),
        `rookery: could not use the folder ${folder.path}/disk/data: its file system is read-only; take another folder by --data\n`,
      );
    });
  }

  it("that fills up later: writes are refused, and taken again when there is room", async () => {
    await using folder = await emptyDisk();
    const small = 'mount -t tmpfs -o size=8m tmpfs "$1"';
    const args = ["local", "up", "--foreground", "--port=0"];
    await using child = await startOn(folder, small, args);
    const output = () => readFile(child.log, "utf8");
    await waitFor(async () => (await output()).includes("is ready at"), {
      what: "the embedded Kubernetes",
      timeout,
    });
    const disk = join("/proc", String(child.pid), "root", folder.path, "disk");
    const config = await loadConfig({ path: join(disk, "data", "kubeconfig") });
    await using client = createClient(config);
    const configMaps = client.resource(builtInResources.configMaps);
    const names: string[] = [];
    const make = async () => {
      const metadata = { namespace: "default", name: `map-${names.length}` };
      await configMaps.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
      names.push(metadata.name);
    };
    await make();
    fill(join(disk, "fill"));
    const refusal = await waitFor(() => make().catch((error: Error) => error), {
      what: "a write to be refused",
      timeout,
      interval: 0,
    });
    assert.match(String(refusal), /the disk is full; make room/);
    child.assertRunning();
    rmSync(join(disk, "fill"));
    await waitFor(() => make().then(() => true), { what: "a write to be taken", timeout });
    const { items } = await configMaps.list({ namespace: "default" });
    const found = items
      .map(({ metadata }) => metadata.name)
      .filter((name) => /^map-/.test(name ?? ""));
    assert.deepEqual(found.toSorted(), names.toSorted());
    assert.doesNotMatch(await output(), /^ +at /m);
  });
});
