import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { move, restoreMove, rollBackMove, rollBackRestore, saveMove } from "@rookery/move";
import { createTemporaryFolder } from "@rookery/testing";
import { makerIn, makeSmallFlock, smallFlockKinds } from "./flock.ts";
import { ManagementCluster } from "./management-cluster.ts";

const clusterResource: Resource = {
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind: "Cluster",
  plural: "clusters",
  singular: "cluster",
  namespaced: true,
};
const { clusterRoles, namespaces, secrets } = builtInResources;

/** An administrator moves a namespace whose tenant may write Secrets, or restores what others have sent. */
describe("a move withstands it when", { timeout: 600_000 }, () => {
  const stack = new AsyncDisposableStack();
  let source: ManagementCluster;
  let target: ManagementCluster;
  let there: string;
  let count = 0;

  before(async () => {
    const options = { flavour: "embedded", kinds: smallFlockKinds } as const;
    ({ source, target } = stack.use(await ManagementCluster.startPair(options)));
    const found = await target.client.resource(namespaces).get({ name: "kube-system" });
    there = found.metadata.uid ?? "";
  });
  after(() => stack.disposeAsync());

  /** A tenant's namespace, and a neighbour's, each with a cluster. */
  async function scene() {
    count += 1;
    const [namespace, neighbour] = [`tenant-${count}`, `neighbour-${count}`];
    for (const name of [namespace, neighbour]) {
      await source.makeNamespace(name);
      await makeSmallFlock(source.client, name, "a");
    }
    return { namespace, neighbour };
  }

  /** What a move would have written, but for what it names. */
  function packed(state: object, rows: readonly unknown[], resources: readonly Resource[]): Buffer {
    const whole = {
      holder: { host: `not-${hostname()}`, pid: 1 },
      startedAt: "2026-01-01T00:00:00Z",
      paused: [],
      before: [],
      left: [],
      destination: { cluster: there, server: "" },
      ...state,
    };
    return gzipSync(JSON.stringify({ ...whole, resources, rows }));
  }

  async function plant(namespace: string, journal: Buffer): Promise<void> {
    const name = "rookery-move-planted";
    const encode = (text: string) => Buffer.from(text).toString("base64");
    await source.client.resource<KubeObject & { data?: object; type?: string }>(secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      type: "rookery.dev/move",
      metadata: { namespace, name, labels: { "rookery.dev/move": name } },
      data: { parts: encode("1"), generation: encode("0"), "part-0": journal.toString("base64") },
    });
  }

  const isThere = async (cluster: ManagementCluster, namespace: string) =>
    "Cluster.cluster.x-k8s.io a" in (await cluster.dump(namespace));
  const uidOf = async (namespace: string) => {
    const found = await source.client.resource(clusterResource).get({ namespace, name: "a" });
    return found.metadata.uid ?? "";
  };
  const both = (namespace: string) => ({ source: source.client, target: target.client, namespace });

  it("a tenant plants a journal that has a neighbour's Cluster deleted at the source", async () => {
    const { namespace, neighbour } = await scene();
    const row = [0, neighbour, "a", await uidOf(neighbour), 0, 0, ""];
    await plant(namespace, packed({ phase: "Deleting", namespace }, [row], [clusterResource]));
    await assert.rejects(move(both(namespace)), /it names Cluster neighbour-.*look who wrote it/);
    assert.ok(await isThere(source, neighbour));
  });

  it("a tenant plants a journal whose rollback deletes a neighbour's Cluster at the target", async () => {
    const { namespace, neighbour } = await scene();
    await target.makeNamespace(neighbour);
    await makeSmallFlock(target.client, neighbour, "a");
    const row = [0, neighbour, "a", "", 0, 0, ""];
    await plant(namespace, packed({ phase: "Creating", namespace }, [row], [clusterResource]));
    await assert.rejects(rollBackMove(both(namespace)), /it names Cluster neighbour-/);
    assert.ok(await isThere(target, neighbour));
  });

  it("a tenant plants a journal whose rollback makes it an administrator of the target", async () => {
    const { namespace } = await scene();
    const roles = target.client.resource<KubeObject & { rules?: object[] }>(clusterRoles);
    const metadata = { name: `tenant-role-${namespace}` };
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata };
    await roles.create({ ...role, rules: [] });
    const all = { ...role, rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] };
    const state = {
      phase: "Creating",
      namespace,
      before: [{ resource: clusterRoles, object: all }],
    };
    await plant(namespace, packed(state, [], []));
    await assert.rejects(rollBackMove(both(namespace)), /it names ClusterRole tenant-role/);
    assert.deepEqual((await roles.get(metadata)).rules ?? [], []);
  });

  it("a tenant gives a kind that is moved the path of another one", async () => {
    const { namespace } = await scene();
    const disguised = { ...clusterResource, plural: "machines" };
    const row = [0, namespace, "a", "", 0, 0, ""];
    await plant(namespace, packed({ phase: "Deleting", namespace }, [row], [disguised]));
    await assert.rejects(move(both(namespace)), /no part of a move of namespace/);
  });

  it("a folder from others brings a journal that deletes what the target has", async () => {
    const { namespace, neighbour } = await scene();
    await using folder = await createTemporaryFolder("attack");
    await saveMove({ source: source.client, scope: { namespace }, folder: folder.path });
    await target.makeNamespace(neighbour);
    await makeSmallFlock(target.client, neighbour, "a");
    const row = [0, neighbour, "a", "", 0, 0, ""];
    const journal = packed({ phase: "Creating", namespace: "" }, [row], [clusterResource]);
    await writeFile(join(folder.path, ".rookery-move"), journal);
    const restore = { target: target.client, folder: folder.path };
    await assert.rejects(rollBackRestore(restore), /no move from .* is unfinished/);
    await restoreMove(restore);
    assert.ok(await isThere(target, neighbour));
    assert.ok(await isThere(target, namespace));
  });

  it("a folder from others holds a ClusterRole beside a cluster", async () => {
    const { namespace } = await scene();
    await using folder = await createTemporaryFolder("attack");
    await saveMove({ source: source.client, scope: { namespace }, folder: folder.path });
    const metadata = { name: `planted-${namespace}`, uid: "1" };
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata };
    await writeFile(join(folder.path, "role.yaml"), JSON.stringify(role));
    await restoreMove({ target: target.client, folder: folder.path });
    assert.ok(await isThere(target, namespace));
    const roles = await target.client.resource(clusterRoles).list();
    assert.ok(!roles.items.some((one) => one.metadata.name === metadata.name));
  });

  it("somebody on the machine has put links where a move writes Secrets", async () => {
    const { namespace } = await scene();
    await using folder = await createTemporaryFolder("attack");
    const prey = join(folder.path, "prey");
    const target = join(folder.path, "backup");
    const save = { source: source.client, scope: { namespace }, folder: target };
    await saveMove(save);
    await writeFile(prey, "untouched");
    for (const file of await readdir(target)) await symlink(prey, join(target, `${file}.new`));
    await saveMove(save);
    assert.equal(await readFile(prey, "utf8"), "untouched");
    for (const file of await readdir(target)) {
      assert.equal((await stat(join(target, file))).mode & 0o777, 0o600, file);
    }
  });

  it("everybody may write to the folder that is to hold Secrets", async () => {
    const { namespace } = await scene();
    const folder = await mkdtemp(join(tmpdir(), "rookery-open-"));
    try {
      await chmod(folder, 0o777);
      const saving = saveMove({ source: source.client, scope: { namespace }, folder });
      await assert.rejects(saving, /everybody may write to it.*chmod o-w/);
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("an object's name leads out of the folder", async () => {
    const { namespace } = await scene();
    const make = makerIn(source.client, namespace);
    await assert.rejects(make("v1", "Secret", "../../prey", { data: "x" }));
  });
});
