import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, createClientOver, loadConfig } from "@rookery/client";
import { type KubeObject, ownerReferenceTo } from "@rookery/kube";
import {
  type MoveOptions,
  move,
  previewMove,
  restoreMove,
  rollBackMove,
  rollBackRestore,
  rollBackSave,
  saveMove,
} from "@rookery/move";
import { createTemporaryFolder } from "@rookery/testing";
import { makeFlock, makerIn } from "./flock.ts";
import { ManagementCluster } from "./management-cluster.ts";
import { MortalProcess } from "./mortal-client.ts";
import { normalized } from "./normalized.ts";
import { small } from "./small-kinds.ts";

const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";

describe("what a move takes, and refuses", () => {
  const stack = new AsyncDisposableStack();
  let source: ManagementCluster;
  let target: ManagementCluster;

  before(async () => {
    // What a real API server makes of a move is in `move.integration.test.ts`.
    const options = { flavour: "embedded" } as const;
    ({ source, target } = stack.use(await ManagementCluster.startPair(options)));
  });
  after(() => stack.disposeAsync());

  const optionsOf = (namespace: string): MoveOptions => ({
    source: source.client,
    target: target.client,
    namespace,
  });

  async function makeClusters(namespace: string, ...names: readonly string[]): Promise<void> {
    await source.makeNamespace(namespace);
    for (const name of names) await makeFlock(source.client, namespace, name);
  }

  const clusterOf = async (cluster: ManagementCluster, namespace: string, name: string) =>
    (await cluster.dump(namespace))[`Cluster.cluster.x-k8s.io ${name}`];

  it("waits for what is not ready to move, and takes along what a controller changed meanwhile", async () => {
    const namespace = "in-use";
    await makeClusters(namespace, "a");
    const templates = await source.client.kind({
      apiVersion: infrastructure,
      kind: "InfraMachineTemplate",
    });
    const change = (patch: object) =>
      templates.patch({ namespace, name: "a" }, { type: "merge", patch });
    const block = "clusterctl.cluster.x-k8s.io/block-move";
    await change({ metadata: { annotations: { [block]: "" } } });
    const moving = move(optionsOf(namespace));
    const controller = (async () => {
      for (let size = 10; size < 20; size += 1) {
        await delay(50);
        await change({ spec: { size } });
      }
      await change({ spec: { size: 100 }, metadata: { annotations: { [block]: null } } });
    })();
    await Promise.all([moving, controller]);
    const there = await target.dump(namespace);
    const template = there["InfraMachineTemplate.infrastructure.cluster.x-k8s.io a"];
    assert.deepEqual(template?.spec, { size: 100 });
  });

  it("unpauses again what cannot be moved in time", async () => {
    await makeClusters("blocked", "a");
    const clusters = await source.client.kind({ apiVersion: core, kind: "Cluster" });
    const annotations = { "clusterctl.cluster.x-k8s.io/block-move": "" };
    const key = { namespace: "blocked", name: "a" };
    await clusters.patch(key, { type: "merge", patch: { metadata: { annotations } } });
    const failure = move({ ...optionsOf("blocked"), blockTimeoutMs: 50 });
    await assert.rejects(failure, /block-move is still on Cluster blocked\/a.*as it was before/s);
    const { spec } = (await clusterOf(source, "blocked", "a")) as KubeObject;
    assert.equal((spec as { paused?: boolean }).paused, undefined);
    assert.deepEqual(await target.dump("blocked"), {});
  });

  it("writes to files and deletes nothing; another cluster is made from them", async () => {
    const namespace = "files";
    await makeClusters(namespace, "a");
    await using folder = await createTemporaryFolder("move");
    const before = normalized(await source.dump(namespace));
    const save = { source: source.client, scope: { namespace }, folder: folder.path };
    assert.equal((await saveMove(save)).moved.length, 11);
    assert.deepEqual(normalized(await source.dump(namespace)), before);
    assert.equal((await readdir(folder.path)).length, 11);
    const restored = await restoreMove({ target: target.client, folder: folder.path });
    assert.equal(restored.moved.length, 11);
    const there = normalized(await target.dump(namespace));
    assert.deepEqual(Object.keys(there), Object.keys(before));
    const cluster = (await clusterOf(target, namespace, "a")) as KubeObject;
    assert.equal((cluster.spec as { paused?: boolean }).paused, undefined);
    assert.equal((await readdir(folder.path)).length, 11);
  });

  it("leaves nothing paused when it is killed on the way to files, or from them", async () => {
    const namespace = "cut-files";
    await makeClusters(namespace, "a");
    await using folder = await createTemporaryFolder("move");
    const save = { source: source.client, scope: { namespace }, folder: folder.path };
    for (const requests of [22, 27, 40]) {
      const process = new MortalProcess(requests);
      const dying = saveMove({ ...save, source: process.clientOf(source.client) });
      await assert.rejects(dying, /killed/);
      await rollBackSave(save).catch((error: Error) => assert.match(error.message, /no move/));
      const { spec } = (await clusterOf(source, namespace, "a")) as KubeObject;
      assert.equal((spec as { paused?: boolean }).paused, undefined, `after ${requests}`);
    }
    await saveMove(save);
    const process = new MortalProcess(30);
    const restore = { target: target.client, folder: folder.path };
    await assert.rejects(restoreMove({ ...restore, target: process.clientOf(target.client) }));
    await rollBackRestore(restore);
    assert.deepEqual(await target.dump(namespace), {});
    assert.equal((await readdir(folder.path)).length, 11);
    await restoreMove(restore);
    assert.equal(Object.keys(await target.dump(namespace)).length, 11);
  });

  it("refuses what it knows to go wrong, before anything is changed", async () => {
    const namespace = "refused";
    await makeClusters(namespace, "a");
    const make = makerIn(source.client, namespace);
    await make(core, "Cluster", "young", {
      spec: { controlPlaneEndpoint: { host: "young.example.com", port: 6443 } },
    });
    const before = normalized(await source.dump(namespace));
    const user = await source.kubernetes.user({ name: "nobody" });
    await using stranger = createClient(await loadConfig({ path: user.kubeconfig }));
    const guest = await target.kubernetes.user({ name: "nobody" });
    await using visitor = createClient(await loadConfig({ path: guest.kubeconfig }));
    const unreachable = createClientOver(async () => {
      throw new Error("it is not there");
    });
    const cases: readonly [options: Partial<MoveOptions>, message: RegExp][] = [
      [{}, /Cluster refused\/young is still provisioning its infrastructure/],
      [{ cluster: "none" }, /could not move cluster none: there is none of that name/],
      [{ cluster: "yuong" }, /in namespace refused; did you mean young\? -n names another/],
      [{ target: source.client }, /source and target are the same cluster/],
      [{ source: stranger, cluster: "a" }, /could not ask the source cluster: .*cannot list/],
      [
        { target: visitor, cluster: "a" },
        /at the target:.*there is no right to [a-z, ]*create[a-z, ]* secrets in/s,
      ],
      [{ target: unreachable, cluster: "a" }, /could not ask the target cluster: .*not there/],
    ];
    for (const [options, message] of cases) {
      await assert.rejects(move({ ...optionsOf(namespace), ...options }), message);
    }
    assert.deepEqual(normalized(await source.dump(namespace)), before);
  });

  it("refuses kinds that the target lacks, or has in another version only, before anything is paused", async () => {
    const namespace = "lacking";
    await makeClusters(namespace, "a");
    await source.kubernetes.applyCrd(small("InfraNest"));
    await source.kubernetes.applyCrd(small("InfraPerch"));
    await target.kubernetes.applyCrd(small("InfraPerch", { version: "v1beta1" }));
    const cluster = (await clusterOf(source, namespace, "a")) as KubeObject;
    const owners = [ownerReferenceTo(cluster)];
    const make = makerIn(source.client, namespace);
    for (const kind of ["InfraNest", "InfraPerch"])
      await make(infrastructure, kind, "a", { owners });
    const before = await source.dump(namespace);
    for (const attempt of [move, previewMove]) {
      await assert.rejects(attempt(optionsOf(namespace)), ({ message }: Error) => {
        assert.match(message, /v1beta2 InfraNest is not served there; install the provider/);
        assert.match(message, /v1beta2 InfraPerch is not served there, only .*\/v1beta1; upgrade/);
        return true;
      });
    }
    // To the last resourceVersion.
    assert.deepEqual(await source.dump(namespace), before);
    assert.deepEqual(await target.dump(namespace), {});
  });

  it("keeps what the target had, however much it is, until the move is over", async () => {
    const namespace = "much";
    await makeClusters(namespace, "a");
    const cluster = (await clusterOf(source, namespace, "a")) as KubeObject;
    const owners = [ownerReferenceTo(cluster)];
    const names = ["one", "two", "three"];
    await target.makeNamespace(namespace);
    for (const name of names) {
      await makerIn(source.client, namespace)("v1", "Secret", name, { owners, data: "new" });
      // More than one Secret holds, of all three: chance cannot be packed.
      const data = randomBytes(320_000).toString("latin1");
      await makerIn(target.client, namespace)("v1", "Secret", name, { data });
    }
    const [here, there] = [await source.dump(namespace), await target.dump(namespace)];
    let mostParts = 0;
    let undone = 0;
    for (let requests = 75; ; requests += 20) {
      const process = new MortalProcess(requests);
      const [from, to] = [source, target].map(({ client }) => process.clientOf(client));
      assert.ok(from && to);
      const dying = move({ ...optionsOf(namespace), source: from, target: to });
      const isKilled = await dying.then(
        () => false,
        () => true,
      );
      const journal = Object.keys(await source.dump(namespace)).filter((name) =>
        name.startsWith("Secret rookery-move-"),
      );
      mostParts = Math.max(mostParts, journal.length);
      if (!isKilled) break;
      const failure = await rollBackMove(optionsOf(namespace)).catch((error: Error) => error);
      if (failure && /everything is at the target/.test(failure.message)) {
        await move(optionsOf(namespace));
        break;
      }
      if (failure) assert.match(failure.message, /no move in namespace .* is unfinished/);
      else undone += 1;
      assert.deepEqual(normalized(await source.dump(namespace)), normalized(here));
      assert.deepEqual(normalized(await target.dump(namespace)), normalized(there));
    }
    assert.ok(mostParts > 1 && undone > 0, `${mostParts} parts, ${undone} moves undone`);
    assert.deepEqual(await source.dump(namespace), {});
    const moved = await target.dump(namespace);
    const value = Buffer.from("new").toString("base64");
    for (const name of names) {
      const { data } = moved[`Secret ${name}`] as KubeObject & { readonly data?: object };
      assert.deepEqual(data, { value });
    }
  });

  it("refuses another move while one is unfinished, and says how to end it", async () => {
    await makeClusters("unfinished", "a", "b");
    const process = new MortalProcess(60);
    const [from, to] = [source, target].map(({ client }) => process.clientOf(client));
    assert.ok(from && to);
    const options = optionsOf("unfinished");
    await assert.rejects(move({ ...options, source: from, target: to, cluster: "a" }));
    const other = move({ ...options, cluster: "b" });
    await assert.rejects(other, /a move of cluster a .* is unfinished .* with --rollback/s);
    await move({ ...options, cluster: "a" });
    await move({ ...options, cluster: "b" });
    assert.deepEqual(await source.dump("unfinished"), {});
  });

  // The last one: identities are in no namespace, so that every move sees them.
  it("takes one cluster of two, a copy of what they share, and the identity that it names", async () => {
    const namespace = "one-of-two";
    await makeClusters(namespace, "a", "b");
    const clusters = await Promise.all(
      ["a", "b"].map((name) => clusterOf(source, namespace, name)),
    );
    const make = makerIn(source.client, namespace);
    const owners = clusters.map((one) => ownerReferenceTo(one as KubeObject));
    await make("v1", "Secret", "shared", { owners, data: "shared" });
    const identities = makerIn(source.client, undefined);
    const identity = await identities(infrastructure, "InfraIdentity", "account");
    await identities(infrastructure, "InfraIdentity", "another");
    await make("v1", "Secret", "account", { owners: [ownerReferenceTo(identity)] });
    await make(infrastructure, "InfraMachineTemplate", "with-identity", {
      owners: owners.slice(0, 1),
      spec: { identityRef: { kind: "InfraIdentity", name: "account" } },
    });
    const report = await move({ ...optionsOf(namespace), cluster: "a" });
    assert.equal(report.moved.length, 12);
    assert.deepEqual(report.copied.map(({ kind, key }) => `${kind} ${key.name}`).sort(), [
      "InfraIdentity account",
      "Secret account",
      "Secret shared",
    ]);
    const there = await target.dump(namespace);
    assert.equal(there["Secret shared"]?.metadata.ownerReferences?.length, 1);
    assert.ok(there["InfraIdentity.infrastructure.cluster.x-k8s.io account"]);
    assert.ok(!there["InfraIdentity.infrastructure.cluster.x-k8s.io another"]);
    const here = await source.dump(namespace);
    assert.ok(
      here["Cluster.cluster.x-k8s.io b"] && here["Secret shared"] && here["Secret account"],
    );
    assert.ok(here["InfraIdentity.infrastructure.cluster.x-k8s.io account"]);
    assert.equal(here["Cluster.cluster.x-k8s.io a"], undefined);
  });
});
