import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { NestedAPIServer } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { cluster, namespace } from "../../test/component/component-world.ts";
import { EtcdScene, labels, revisionOf } from "../../test/etcd/etcd-scene.ts";
import type { Pod } from "../manifests/kinds.ts";
import { etcdMemberHost } from "../names.ts";

test("etcd begins with one member, and what it begins with is written before its pods", async () => {
  const scene = new EtcdScene();
  await scene.reconcile();
  const applied = scene.world.writes.filter((write) => write.startsWith("apply"));
  assert.deepEqual(applied, [
    "apply ConfigMap/blue-etcd",
    "apply Service/blue-etcd",
    "apply StatefulSet/blue-etcd",
    "apply PodDisruptionBudget/blue-etcd",
  ]);
  assert.equal(scene.membership["initial-cluster-state"], "new");
  assert.equal(scene.reason("Ready"), "False WaitingForPods");
});

test("once it has begun nobody can begin it again, and its address is known", async () => {
  const scene = new EtcdScene();
  await scene.settle();
  assert.equal(scene.reason("Ready"), "True Ready");
  assert.equal(scene.reason("UpToDate"), "True UpToDate");
  assert.equal(scene.now.status?.version, "3.6.8");
  assert.equal(scene.membership["initial-cluster-state"], "existing");
  assert.doesNotMatch(scene.membership["initial-cluster"] ?? "", /blue-etcd/);
  const hostname = "blue-etcd-0.blue-etcd.team.svc";
  assert.deepEqual(scene.now.status?.addresses, [{ ip: "10.0.0.0", hostname, port: 2379 }]);
});

test("while nothing changes nothing is written", async () => {
  const scene = new EtcdScene();
  await scene.settle();
  scene.world.writes.length = 0;
  await scene.reconcile();
  assert.deepEqual(scene.world.writes, []);
});

test("the address of an only member is told before it starts, and stays", async () => {
  const scene = new EtcdScene();
  await scene.reconcile();
  const hostname = "blue-etcd-0.blue-etcd.team.svc";
  assert.deepEqual(scene.now.status?.addresses, [{ hostname, port: 2379 }]);
  await scene.settle();
  assert.deepEqual(scene.now.status?.addresses, [{ ip: "10.0.0.0", hostname, port: 2379 }]);
});

test("the address of an only member is told while certificates are not there yet", async () => {
  const scene = new EtcdScene();
  for (const [key, { kind }] of scene.world.objects) {
    if (kind === "Secret") scene.world.objects.delete(key);
  }
  await scene.reconcile();
  assert.equal(scene.reason("Ready"), "False WaitingForCertificates");
  assert.equal(scene.now.status?.addresses?.length, 1);
});

test("three members join one by one, and their addresses are told once all have", async () => {
  const scene = new EtcdScene({ replicas: 3 });
  const told = new Set<number>();
  for (let round = 0; round < 40; round++) {
    await scene.reconcile();
    scene.act();
    told.add(scene.now.status?.addresses?.length ?? 0);
  }
  assert.deepEqual(scene.names, ["blue-etcd-0", "blue-etcd-1", "blue-etcd-2"]);
  assert.deepEqual([...told], [0, 3]);
  assert.equal(scene.reason("UpToDate"), "True UpToDate");
});

test("members go from five to one, and their pods go after them", async () => {
  const scene = new EtcdScene({ replicas: 5 });
  await scene.settle();
  assert.equal(scene.members.length, 5);
  scene.change({ replicas: 1 });
  await scene.settle();
  assert.deepEqual(scene.names, ["blue-etcd-0"]);
  assert.equal(scene.statefulSet.spec?.replicas, 1);
  assert.equal(scene.pod(1), undefined);
});

test("a member that has lost its volume is replaced, and never comes back as who it was", async () => {
  const scene = new EtcdScene({ replicas: 3 });
  await scene.settle();
  const before = scene.members.map(({ id }) => id);
  scene.lose(1);
  scene.act();
  assert.deepEqual([...scene.silent], [1]);
  await scene.reconcile();
  assert.deepEqual(scene.names, ["blue-etcd-0", "blue-etcd-2"]);
  await scene.reconcile();
  // Its pod has failed, and is started anew by the node: now it finds itself.
  scene.silent.delete(1);
  scene.members = scene.members.map((one) =>
    one.name === "" ? { ...one, name: "blue-etcd-1" } : one,
  );
  const pod = scene.pod(1) as Pod;
  scene.world.put({
    ...pod,
    status: { ...pod.status, conditions: [{ type: "Ready", status: "True" }] },
  });
  await scene.settle();
  assert.deepEqual(scene.names.toSorted(), ["blue-etcd-0", "blue-etcd-1", "blue-etcd-2"]);
  assert.notDeepEqual(scene.members.map(({ id }) => id).toSorted(), before.toSorted());
  assert.equal(scene.reason("UpToDate"), "True UpToDate");
});

describe("a third member that was added and has not started", () => {
  const began = "2026-01-01T00:00:00Z";
  const podOf = (status: Pod["status"], metadata: object = {}): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "blue-etcd-2", namespace, labels, creationTimestamp: began, ...metadata },
    status: status ?? {},
  });
  const settingUp = podOf({
    conditions: [
      { type: "PodScheduled", status: "True" },
      { type: "PodReadyToStartContainers", status: "False" },
    ],
    containerStatuses: [{ name: "etcd", state: { waiting: { reason: "ContainerCreating" } } }],
  });
  const crashing = podOf({
    containerStatuses: [
      {
        name: "etcd",
        restartCount: 3,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { exitCode: 1, message: "member count is unequal" } },
      },
    ],
  });
  const joining = async (pod: Pod) => {
    const scene = new EtcdScene({ replicas: 3 });
    await scene.settle();
    const [first, second, third] = scene.members;
    assert.ok(first && second && third);
    scene.members = [first, second, { ...third, name: "", isLearner: true }];
    scene.silent.add(2);
    scene.world.put(pod);
    scene.world.writes.length = 0;
    return scene;
  };
  const removed = (scene: EtcdScene) =>
    scene.world.writes.filter((write) => write.startsWith("remove"));
  const message = ({ now }: EtcdScene) =>
    getCondition(now.status?.conditions, "UpToDate")?.message ?? "";

  it("is waited for, and the condition has the state of its pod", async () => {
    const scene = await joining(settingUp);
    await scene.reconcile();
    assert.equal(scene.reason("UpToDate"), "False ChangingMembers");
    assert.equal(
      message(scene),
      "member 2 has been added and has not started yet: pod blue-etcd-2: container etcd waits: ContainerCreating",
    );
    assert.deepEqual(removed(scene), []);
  });

  it("gets another pod where this one never runs anything, and joins", async () => {
    const scene = await joining(settingUp);
    scene.world.now = new Date("2026-01-01T00:03:01Z");
    await scene.reconcile();
    assert.deepEqual(removed(scene), ["remove Pod/blue-etcd-2"]);
    assert.match(scene.world.events.at(-1)?.note ?? "", /^Deleted the pod of member 2/);
    scene.world.objects.delete(`PersistentVolumeClaim/${namespace}/data-blue-etcd-2`);
    await scene.settle();
    assert.deepEqual(scene.names, ["blue-etcd-0", "blue-etcd-1", "blue-etcd-2"]);
    assert.equal(scene.reason("UpToDate"), "True UpToDate");
  });

  it("is added anew with another volume where it fails, and joins", async () => {
    const scene = await joining(crashing);
    await scene.reconcile();
    assert.match(scene.world.events.at(-1)?.note ?? "", /exit code 1: member count is unequal/);
    await scene.settle();
    assert.deepEqual(scene.names, ["blue-etcd-0", "blue-etcd-1", "blue-etcd-2"]);
  });

  it("is not added anew again while its former pod is being deleted", async () => {
    const scene = await joining(podOf(crashing.status, { deletionTimestamp: began }));
    const ids = scene.members.map(({ id }) => id);
    await scene.reconcile();
    assert.deepEqual(
      scene.members.map(({ id }) => id),
      ids,
    );
    assert.match(message(scene), /its former pod blue-etcd-2 is being deleted/);
  });

  it("is not taken out where the cache still shows the pod before", async () => {
    const scene = await joining(podOf(crashing.status, { uid: "former" }));
    const successor = podOf({}, { uid: "successor" });
    scene.live.set("blue-etcd-2", successor);
    const ids = scene.members.map(({ id }) => id);
    await scene.reconcile();
    assert.deepEqual(
      scene.members.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(removed(scene), []);
  });
});

test("the only member that has lost its volume is not made anew: its data is gone", async () => {
  const scene = new EtcdScene();
  await scene.settle();
  scene.lose(0);
  scene.act();
  await scene.settle();
  assert.equal(scene.reason("Ready"), "False QuorumLost");
  assert.match(scene.now.status?.failureMessage ?? "", /volumes of 1 of 1 members are gone/);
  assert.equal(scene.membership["initial-cluster-state"], "existing");
});

test("a record that somebody deletes does not let a second cluster begin", async () => {
  const scene = new EtcdScene();
  await scene.settle();
  scene.world.objects.delete(`ConfigMap/${namespace}/blue-etcd`);
  scene.silent.add(0);
  await scene.reconcile();
  assert.equal(scene.membership["initial-cluster-state"], "existing");
});

test("a claim of somebody else that has a member's name is not taken", async () => {
  const scene = new EtcdScene();
  scene.world.put({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data-blue-etcd-0", namespace },
  });
  await scene.reconcile();
  assert.equal(scene.reason("UpToDate"), "False ObjectTaken");
  assert.equal(scene.statefulSet, undefined);
});

test("a spec that says what is not allowed leaves members as they are", async () => {
  const scene = new EtcdScene();
  await scene.settle();
  scene.change({ extraArgs: [{ name: "initial-cluster", value: "x" }], replicas: 3 });
  const before = JSON.stringify(scene.statefulSet);
  scene.world.writes.length = 0;
  await scene.reconcile();
  assert.equal(scene.reason("UpToDate"), "False NotAllowed");
  assert.equal(scene.reason("Ready"), "True Ready");
  assert.equal(JSON.stringify(scene.statefulSet), before);
  assert.ok(scene.world.writes.every((write) => write.startsWith("status ")));
});

test("a change reaches one member at a time, and none while another is ill", async () => {
  const scene = new EtcdScene({ replicas: 3 });
  await scene.settle();
  const former = scene.revision;
  const updated = () => [0, 1, 2].filter((n) => revisionOf(scene.pod(n) as Pod) !== former);
  scene.change({ extraArgs: [{ name: "heartbeat-interval", value: "200" }] });
  await scene.reconcile();
  assert.equal(scene.statefulSet.spec?.updateStrategy?.rollingUpdate?.partition, 3);
  assert.equal(scene.reason("UpToDate"), "False RollingOut");
  scene.act();
  assert.deepEqual(updated(), []);
  scene.silent.add(0);
  for (let round = 0; round < 5; round++) {
    await scene.reconcile();
    scene.act();
  }
  assert.deepEqual(updated(), []);
  scene.silent.delete(0);
  const seen: number[][] = [];
  for (let round = 0; round < 12; round++) {
    await scene.reconcile();
    scene.act();
    seen.push(updated());
  }
  assert.deepEqual(seen.at(-1), [0, 1, 2]);
  for (const [index, now] of seen.entries()) {
    assert.ok(now.length - (seen[index - 1]?.length ?? 0) <= 1);
  }
  await scene.reconcile();
  assert.equal(scene.reason("UpToDate"), "True UpToDate");
});

describe("a version that never becomes ready", () => {
  const fail = async (version: string): Promise<EtcdScene> => {
    const scene = new EtcdScene();
    await scene.settle();
    scene.change({ version });
    scene.breaks = true;
    for (let round = 0; round < 4; round++) {
      await scene.reconcile();
      scene.act();
    }
    assert.equal(scene.reason("UpToDate"), "False RollingOut");
    const pod = scene.pod(0);
    assert.ok(pod);
    const ended = { exitCode: 1, message: "starting\nunknown flag: --no-such-flag" };
    const containerStatuses = [{ name: "etcd", lastState: { terminated: ended } }];
    scene.world.put({ ...pod, status: { ...pod.status, containerStatuses } });
    scene.world.now = new Date("2026-01-01T00:10:01Z");
    scene.world.writes.length = 0;
    await scene.reconcile();
    return scene;
  };

  it("is taken back within its minor, after it was written down", async () => {
    const scene = await fail("3.6.9");
    assert.equal(scene.reason("UpToDate"), "False RolledBack");
    assert.equal(scene.world.writes[0], "status NestedEtcd/blue");
    const why = /exit code 1: unknown flag: --no-such-flag/;
    assert.match(scene.now.status?.failureMessage ?? "", why);
    scene.breaks = false;
    scene.act();
    await scene.reconcile();
    assert.match(scene.now.status?.failureMessage ?? "", why, "the pod is another one");
    const image = scene.statefulSet.spec?.template.spec.containers[0]?.image;
    assert.equal(image, "registry.k8s.io/etcd:3.6.8-0");
  });

  it("stays where it is of another minor, and says so", async () => {
    const scene = await fail("3.7.0");
    assert.equal(scene.reason("UpToDate"), "False RollOutStalled");
    assert.match(scene.now.status?.failureMessage ?? "", /no way back from 3\.7\.0 to 3\.6\.8/);
  });
});

test("a version that skips a minor is held", async () => {
  const scene = new EtcdScene();
  await scene.settle();
  scene.change({ version: "3.8.0" });
  await scene.reconcile();
  assert.equal(scene.reason("UpToDate"), "False VersionSkew");
  assert.equal(scene.reason("Ready"), "True Ready");
});

describe("an etcd that is deleted", () => {
  const deleted = async (deletionPolicy: "Delete" | "Retain") => {
    const scene = new EtcdScene({ deletionPolicy });
    await scene.settle();
    const { metadata, ...rest } = scene.now;
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    scene.world.put({ ...rest, metadata: { ...metadata, deletionTimestamp } });
    await scene.reconcile();
    assert.equal(scene.reason("Ready"), "False Deleting");
    scene.world.objects.delete(`Pod/${namespace}/blue-etcd-0`);
    await scene.reconcile();
    await scene.reconcile();
    const left = [...scene.world.objects.values()].map(({ kind }) => kind);
    assert.deepEqual(scene.now.metadata.finalizers, []);
    return left.filter((kind) => !["Secret", "NestedControlPlane", "NestedEtcd"].includes(kind));
  };

  it("leaves nothing", async () => assert.deepEqual(await deleted("Delete"), []));
  it("leaves its volumes where they are to be kept", async () =>
    assert.deepEqual(await deleted("Retain"), ["PersistentVolumeClaim"]));
});

test("volumes that were kept are used again, without beginning anew", async () => {
  const scene = new EtcdScene({ replicas: 3 });
  for (const ordinal of [0, 1, 2]) {
    const metadata = {
      name: `data-blue-etcd-${ordinal}`,
      namespace,
      labels,
      uid: `kept-${ordinal}`,
    };
    scene.world.put({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata });
    const peerUrls = [`https://${etcdMemberHost(cluster, namespace, ordinal)}:2380`];
    scene.members.push({
      id: `${ordinal}`,
      name: `blue-etcd-${ordinal}`,
      peerUrls,
      isLearner: false,
    });
  }
  await scene.reconcile();
  assert.equal(scene.statefulSet.spec?.replicas, 3);
  assert.equal(scene.membership["initial-cluster-state"], "existing");
  await scene.settle();
  assert.equal(scene.reason("UpToDate"), "True UpToDate");
});

describe("beside an API server of the profile light", () => {
  const light = (profile: "full" | "light") =>
    ({ kind: "NestedAPIServer", metadata: { name: "blue" }, spec: { profile } }) as NestedAPIServer;
  const reference = {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind: "NestedAPIServer",
    name: "blue",
  };

  it("there is no etcd, and nobody waits for one", async () => {
    const scene = new EtcdScene();
    scene.siblings = { ...scene.siblings, apiServer: light("light") };
    await scene.reconcile();
    assert.equal(scene.reason("Ready"), "True NotApplicable");
    assert.equal(scene.reason("UpToDate"), "True NotApplicable");
    assert.equal(scene.now.status?.ready, true);
    assert.equal(scene.now.status?.phase, "NotApplicable");
    assert.deepEqual(scene.world.writes, ["status NestedEtcd/blue"]);
  });

  it("an etcd does not begin before it is known whether it is one", async () => {
    const scene = new EtcdScene();
    const { spec } = scene.world.controlPlane();
    scene.world.controlPlane({ spec: { ...spec, apiserver: reference } });
    await scene.reconcile();
    assert.equal(scene.reason("Ready"), "False WaitingForAPIServer");
    scene.siblings = { ...scene.siblings, apiServer: light("full") };
    await scene.settle();
    assert.equal(scene.reason("Ready"), "True Ready");
    scene.siblings = { ...scene.siblings, apiServer: undefined };
    await scene.reconcile();
    assert.equal(scene.reason("Ready"), "True Ready");
  });
});
