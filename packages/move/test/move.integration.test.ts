import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type KubeObject, ownerReferenceTo } from "@rookery/kube";
import { type MoveOptions, move, previewMove, rollBackMove } from "@rookery/move";
import { clusterctlProgram, createTemporaryFolder, whyUnavailable } from "@rookery/testing";
import { moveByClusterctl } from "./clusterctl.ts";
import { makeFlock, makerIn, provisioned } from "./flock.ts";
import { ManagementCluster } from "./management-cluster.ts";
import { MortalProcess } from "./mortal-client.ts";
import { normalized } from "./normalized.ts";

const withoutClusterctl = await whyUnavailable(() => clusterctlProgram());
/** How many moves are killed side by side. */
const atOnce = 6;
const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";

describe("move", () => {
  let source: ManagementCluster;
  let target: ManagementCluster;

  before(async () => {
    [source, target] = await Promise.all([ManagementCluster.start(), ManagementCluster.start()]);
  });
  after(async () => {
    await source?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });

  const optionsOf = (namespace: string): MoveOptions => ({
    ...{ source: source.client, target: target.client, namespace },
  });

  /** The options of a process that is killed after so many requests. */
  const mortal = (namespace: string, requests: number): MoveOptions => {
    const process = new MortalProcess(requests);
    const [from, to] = [source, target].map(({ client }) => process.clientOf(client));
    assert.ok(from && to);
    return { source: from, target: to, namespace };
  };

  async function makeNamespace(namespace: string): Promise<void> {
    await source.makeNamespace(namespace);
  }

  /** A namespace with everything that a move treats differently; names outside of it are its own, too. */
  async function makeTeam(namespace: string): Promise<void> {
    await makeNamespace(namespace);
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
      ...{ apiVersion: infrastructure, kind: "InfraCluster" },
    });
    const object: KubeObject = {
      ...{ apiVersion: infrastructure, kind: "InfraCluster", spec: { zone: "a" } },
      metadata: { name: "a", namespace },
    };
    await resources.apply(object, { fieldManager: "topology" });
  }

  const isPaused = ({ spec, metadata }: KubeObject) =>
    (spec as { paused?: boolean } | undefined)?.paused === true ||
    metadata.annotations?.["cluster.x-k8s.io/paused"] !== undefined;

  /** Nothing is paused anywhere, and no journal is left. */
  async function isAtRest(namespace: string): Promise<void> {
    for (const cluster of [source, target]) {
      const found = await cluster.dump(namespace);
      const paused = Object.keys(found).filter((name) => isPaused(found[name] as KubeObject));
      assert.deepEqual(paused, []);
      assert.deepEqual(
        Object.keys(found).filter((name) => name.includes("rookery-move")),
        [],
      );
    }
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
    await isAtRest("whole");
    const there = await target.dump("whole");
    const [cluster] = Object.values(there).filter(({ kind }) => kind === "Cluster");
    assert.equal(cluster?.metadata.finalizers?.[0], "cluster.cluster.x-k8s.io");
    const here = Object.keys(await source.dump("whole"));
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
    const text = (objects: unknown) => JSON.stringify(objects, null, 1).split("\n");
    const same = async (cluster: ManagementCluster) => {
      const [ours, theirs] = await Promise.all(
        ["by-ours", "by-clusterctl"].map((namespace) => cluster.dump(namespace)),
      );
      assert.deepEqual(text(normalized(ours ?? {})), text(normalized(theirs ?? {})));
    };
    await same(target);
    await same(source);
  });

  /** Kills a move after so many requests, and has another process finish it. Whether it was killed. */
  async function killAndFinish(requests: number): Promise<{ killed: boolean; there: unknown }> {
    const namespace = `killed-${requests}`;
    await makeNamespace(namespace);
    await makeFlock(source.client, namespace, "a");
    const killed = await failureOf(() => move(mortal(namespace, requests)));
    await move(optionsOf(namespace));
    await isAtRest(namespace);
    assert.deepEqual(await source.dump(namespace), {}, `killed after ${requests} requests`);
    return { killed: killed !== undefined, there: normalized(await target.dump(namespace)) };
  }

  it("goes on to the same end, killed after any of its requests", async () => {
    let whole: unknown;
    for (let first = 1; ; first += atOnce) {
      const numbers = Array.from({ length: atOnce }, (_, index) => first + index);
      const ends = await Promise.all(numbers.map(killAndFinish));
      for (const [index, { there }] of ends.entries()) {
        whole ??= there;
        assert.deepEqual(there, whole, `killed after ${first + index} requests`);
      }
      if (ends.every(({ killed }) => killed)) continue;
      assert.ok(first > 50, `a move took ${first} requests only`);
      return;
    }
  });

  it("rolls back to what was, killed after any of its requests, also twice", async () => {
    let rolledBack = 0;
    for (let requests = 20; ; requests += 7) {
      const namespace = `back-${requests}`;
      await makeNamespace(namespace);
      await makeFlock(source.client, namespace, "a");
      const before = normalized(await source.dump(namespace));
      const isKilled = await failureOf(() => move(mortal(namespace, requests)));
      if (!isKilled) break;
      await failureOf(() => rollBackMove(mortal(namespace, 4 + (requests % 17))));
      const failure = await failureOf(() => rollBackMove(optionsOf(namespace)));
      if (failure && /everything is at the target/.test(failure.message)) {
        await move(optionsOf(namespace));
        continue;
      }
      if (failure) assert.match(failure.message, /no move in namespace .* is unfinished/);
      else rolledBack += 1;
      await isAtRest(namespace);
      const here = normalized(await source.dump(namespace));
      if (Object.keys(here).length === 0) continue;
      assert.deepEqual(here, before);
      assert.deepEqual(await target.dump(namespace), {}, `killed after ${requests} requests`);
    }
    assert.ok(rolledBack > 3, `only ${rolledBack} moves were rolled back`);
  });
});

async function failureOf(work: () => Promise<unknown>): Promise<Error | undefined> {
  return work().then(
    () => undefined,
    (error: Error) => error,
  );
}

const templateRef = (name: string, kind = "InfraMachineTemplate") => ({
  templateRef: { apiVersion: infrastructure, kind, name: `small-${name}` },
});

const classSpec = {
  infrastructure: templateRef("infra"),
  controlPlane: templateRef("control-plane"),
};
