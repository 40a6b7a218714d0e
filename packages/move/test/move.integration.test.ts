import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type KubeObject, ownerReferenceTo } from "@rookery/kube";
import { type MoveOptions, move, previewMove } from "@rookery/move";
import { clusterctlProgram, createTemporaryFolder, whyUnavailable } from "@rookery/testing";
import { moveByClusterctl } from "./clusterctl.ts";
import { makeFlock, makerIn, provisioned } from "./flock.ts";
import { dumpAtRest, KilledMoves } from "./killed-moves.ts";
import { ManagementCluster, type ManagementPair } from "./management-cluster.ts";
import { normalized } from "./normalized.ts";

const withoutClusterctl = await whyUnavailable(() => clusterctlProgram());
const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";

describe("move", () => {
  const stack = new AsyncDisposableStack();
  let pair: ManagementPair;
  let source: ManagementCluster;
  let target: ManagementCluster;

  before(async () => {
    pair = stack.use(await ManagementCluster.startPair());
    ({ source, target } = pair);
  });
  after(() => stack.disposeAsync());

  const optionsOf = (namespace: string): MoveOptions => ({
    source: source.client,
    target: target.client,
    namespace,
  });

  /** A namespace with everything that a move treats differently; names outside of it are its own, too. */
  async function makeTeam(namespace: string): Promise<void> {
    await source.makeNamespace(namespace);
    const make = makerIn(source.client, namespace);
    await makeFlock(source.client, namespace, "a");
    const clusterClass = await make(core, "ClusterClass", "small", { spec: classSpec });
    const owners = [ownerReferenceTo(clusterClass)];
    for (const name of ["control-plane", "infra"]) {
      await make(infrastructure, "InfraMachineTemplate", `small-${name}`, { owners });
    }
    await make(core, "Cluster", "classy", {
      spec: { topology: { classRef: { name: "small" }, version: "v1.34.0" } },
      status: provisioned(),
    });
    await make("v1", "Secret", "classy-kubeconfig", { data: "x" });
    await make("v1", "Secret", "unrelated", { data: "x" });
    await make("v1", "ConfigMap", "unrelated");
    await make(infrastructure, "InfraPolicy", "rules", { spec: { most: 3 } });
    await make(infrastructure, "InfraMachineTemplate", "nobodys");
    await appliedByAnother(namespace);
  }

  /** So that there are several managers of an object, and one of them applies. */
  async function appliedByAnother(namespace: string): Promise<void> {
    const resources = await source.client.kind<KubeObject>({
      apiVersion: infrastructure,
      kind: "InfraCluster",
    });
    const object: KubeObject = {
      apiVersion: infrastructure,
      kind: "InfraCluster",
      spec: { zone: "a" },
      metadata: { name: "a", namespace },
    };
    await resources.apply(object, { fieldManager: "topology" });
  }

  it("takes everything in a namespace along, says what it left, and leaves nothing paused", async () => {
    await makeTeam("whole");
    const before = normalized(await source.dump("whole"));
    const preview = await previewMove({ source: source.client, namespace: "whole" });
    const report = await move(optionsOf("whole"));
    assert.deepEqual(report, preview);
    assert.deepEqual(
      report.left.map(({ kind, key }) => `${kind} ${key.name}`),
      ["InfraMachineTemplate nobodys"],
    );
    const there = await dumpAtRest(target, "whole");
    const [cluster] = Object.values(there).filter(({ kind }) => kind === "Cluster");
    assert.equal(cluster?.metadata.finalizers?.[0], "cluster.cluster.x-k8s.io");
    const here = Object.keys(await dumpAtRest(source, "whole"));
    assert.deepEqual(here.sort(), [
      "ConfigMap unrelated",
      "InfraMachineTemplate.infrastructure.cluster.x-k8s.io nobodys",
      "Secret unrelated",
    ]);
    const lost = Object.keys(before).filter((name) => !(name in there) && !here.includes(name));
    assert.deepEqual(lost, []);
  });

  it("brings the same as the real clusterctl", { skip: withoutClusterctl }, async () => {
    await using folder = await createTemporaryFolder("move");
    await makeTeam("by-ours");
    await makeTeam("by-clusterctl");
    await move(optionsOf("by-ours"));
    const places = { namespace: "by-clusterctl", folder: folder.path };
    await moveByClusterctl(source.kubernetes, target.kubernetes, places);
    const same = async (cluster: ManagementCluster) => {
      const [ours, theirs] = await Promise.all(
        ["by-ours", "by-clusterctl"].map((namespace) => cluster.dump(namespace)),
      );
      assert.deepEqual(normalized(ours ?? {}), normalized(theirs ?? {}));
    };
    await same(target);
    await same(source);
  });

  it("goes on, or back, wherever it is killed", async () => {
    const moves = new KilledMoves(pair, makeFlock);
    const killed = await moves.finishEvery(23);
    assert.ok(killed.length > 4, `killed after ${killed} requests only`);
    const outcomes = await moves.rollBackEvery(23, 40);
    assert.ok(outcomes["was rolled back"] > 1, JSON.stringify(outcomes));
  });

  // The last one: identities are in no namespace, so that every move sees them.
  it("leaves the identities of other tenants, with their Secrets, where they are", async () => {
    const namespace = "with-identity";
    await source.makeNamespace(namespace);
    await makeFlock(source.client, namespace, "a");
    const make = makerIn(source.client, namespace);
    const identities = makerIn(source.client, undefined);
    for (const name of ["ours", "theirs"]) {
      const identity = await identities(infrastructure, "InfraIdentity", name);
      await make("v1", "Secret", name, { owners: [ownerReferenceTo(identity)], data: name });
    }
    const clusters = await source.client.kind<KubeObject>({
      apiVersion: infrastructure,
      kind: "InfraCluster",
    });
    const patch = { spec: { identityRef: { kind: "InfraIdentity", name: "ours" } } };
    await clusters.patch({ namespace, name: "a" }, { type: "merge", patch });
    const report = await move(optionsOf(namespace));
    const copied = report.copied.map(({ kind, key }) => `${kind} ${key.name}`).sort();
    assert.deepEqual(copied, ["InfraIdentity ours", "Secret ours"]);
    const there = await target.dump(namespace);
    assert.ok(there["InfraIdentity.infrastructure.cluster.x-k8s.io ours"] && there["Secret ours"]);
    assert.equal(there["InfraIdentity.infrastructure.cluster.x-k8s.io theirs"], undefined);
    assert.equal(there["Secret theirs"], undefined);
    assert.match(
      report.left.find(({ key }) => key.name === "theirs")?.why ?? "",
      /nothing that is moved names it/,
    );
  });
});

const templateRef = (name: string, kind = "InfraMachineTemplate") => ({
  templateRef: { apiVersion: infrastructure, kind, name: `small-${name}` },
});

const classSpec = {
  infrastructure: templateRef("infra"),
  controlPlane: templateRef("control-plane"),
};
