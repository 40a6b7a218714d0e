import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { createTemporaryFolder, processesOfPods } from "@rookery/testing";
import { StartedPlane } from "../../bench/start/started-plane.ts";
import { endRun } from "../../src/local/end-run.ts";
import { findSimulator } from "../../src/start/simulator.ts";

/** Of nobody on this machine. */
const user = 61_234;
const isRoot = process.getuid?.() === 0;
const canBeOther = isRoot && existsSync("/usr/bin/setpriv");
const skip = canBeOther ? false : "only root can start it as somebody else";

type Pod = KubeObject<{ readonly securityContext?: { readonly runAsNonRoot?: boolean } }>;

async function podsOf(kubeconfig: string): Promise<readonly Pod[]> {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const pods = await client.mapper.resourceForKind({ group: "", kind: "Pod" });
  return (await client.resource<Pod>(pods).list()).items;
}

/** The users of a process: real, effective, saved and of its files. */
async function usersOf(pid: number): Promise<readonly number[]> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, text = ""] = /^Uid:\s+(.*)$/m.exec(status) ?? [];
  return text.split(/\s+/).filter(Boolean).map(Number);
}

/** What Go would build in a home that has no modules yet. */
async function giveSimulator(home: string, owner: number): Promise<void> {
  const { signal } = new AbortController();
  const { path } = await findSimulator({ env: process.env, signal });
  assert.ok(path, "there is no simulator of a vCenter");
  const copy = join(home, ".cache", "rookery", "programs", basename(path));
  await mkdir(dirname(copy), { recursive: true });
  await cp(path, copy);
  for (const folder of [copy, dirname(copy), dirname(dirname(copy)), join(home, ".cache")]) {
    await chown(folder, owner, owner);
  }
}

/** A folder of this machine, which is removed afterwards unless it was there before. */
async function borrowFolder(path: string): Promise<AsyncDisposable & { readonly path: string }> {
  const wasThere = existsSync(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      if (!wasThere) await rm(path, { recursive: true, force: true });
    },
  };
}

describe("npm start, by whom it is started", () => {
  it("brings up all four tenants for an ordinary user, with files of nobody else", {
    skip,
  }, async () => {
    await using folder = await createTemporaryFolder("start-as-user");
    await giveSimulator(folder.path, user);
    await chown(folder.path, user, user);
    const data = join(folder.path, "data");
    await using _ = { [Symbol.asyncDispose]: () => endRun(data, 10_000).then(() => {}) };
    await using plane = await StartedPlane.startAs(user, folder, "--port", "0");
    await plane.ready();
    assert.doesNotMatch(plane.output, /not ready|no vCenter/);
    const { uid, mode } = await stat(join(data, "store.sqlite"));
    assert.deepEqual([uid, mode & 0o777], [user, 0o600]);
    const pods = await podsOf(join(data, "kubeconfig"));
    const processes = processesOfPods(new Set(pods.map(({ metadata }) => metadata.uid ?? "")));
    assert.ok(processes.length > 0);
    const users = new Set((await Promise.all(processes.map(usersOf))).flat());
    assert.deepEqual([...users], [user]);
  });

  it("brings them up for root that may not mount, as an ordinary user", { skip }, async () => {
    await using folder = await createTemporaryFolder("start-bound");
    await chmod(folder.path, 0o755);
    await using home = await borrowFolder("/var/lib/rookery-start");
    await giveSimulator(home.path, 65_532);
    const data = join(folder.path, "data");
    await using _ = { [Symbol.asyncDispose]: () => endRun(data, 10_000).then(() => {}) };
    await using plane = await StartedPlane.startBound(folder, "--port", "0");
    await plane.ready();
    assert.match(plane.output, /Continuing as user 65532: .* root can't mount here/);
    const { uid } = await stat(join(data, "store.sqlite"));
    assert.equal(uid, 65_532);
    const pods = await podsOf(join(data, "kubeconfig"));
    const processes = processesOfPods(new Set(pods.map(({ metadata }) => metadata.uid ?? "")));
    assert.ok(processes.length >= pods.length);
    const users = new Set((await Promise.all(processes.map(usersOf))).flat());
    assert.deepEqual([...users], [65_532]);
  });

  it("says the way out where that user may not enter the data", { skip }, async () => {
    await using folder = await createTemporaryFolder("start-closed");
    await chmod(folder.path, 0o700);
    await using plane = await StartedPlane.startBound(folder);
    await plane.child.whenEnded();
    assert.match(plane.output, /user 65532 can't read \S+; move Rookery and its data to folders/);
    assert.equal(existsSync(join(folder.path, "data", "store.sqlite")), false);
  });

  it("brings them up for root, with the pods that must not be root as somebody else", {
    skip,
  }, async () => {
    await using folder = await createTemporaryFolder("start-as-root");
    const data = join(folder.path, "data");
    await using _ = { [Symbol.asyncDispose]: () => endRun(data, 10_000).then(() => {}) };
    await using plane = await StartedPlane.start(folder, "--port", "0");
    await plane.ready();
    assert.doesNotMatch(plane.output, /not ready|no vCenter/);
    const pods = await podsOf(join(data, "kubeconfig"));
    const nonRoot = pods.filter(({ spec }) => spec?.securityContext?.runAsNonRoot);
    assert.ok(nonRoot.length > 0);
    const processes = processesOfPods(new Set(nonRoot.map(({ metadata }) => metadata.uid ?? "")));
    // The shell that makes a container's mounts is root's, for as long as that takes.
    const users = await Promise.all(processes.map(usersOf));
    assert.ok(processes.length >= nonRoot.length);
    assert.deepEqual(
      users.filter((ids) => ids.includes(0)),
      [],
    );
  });
});
