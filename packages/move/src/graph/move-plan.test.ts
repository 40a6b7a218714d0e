import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { made, types } from "../../test/graph/graph.ts";
import { type MovePlan, movePlanOf, type PlanOptions } from "./move-plan.ts";
import { objectGraphOf } from "./object-graph.ts";

const machineParts = (cluster: KubeObject, owner: KubeObject, name: string) => {
  const machine = made("Machine", name, { owners: [owner] });
  const config = made("KubeadmConfig", name, { owners: [machine] });
  const secret = made("Secret", `${name}-data`, { owners: [config] });
  const infra = made("InfraMachine", name, { owners: [machine] });
  return [machine, config, secret, infra, made("Secret", `${cluster.metadata.name}-ca`)];
};
const a = made("Cluster", "a");
const b = made("Cluster", "b");
const infraA = made("InfraCluster", "a", { owners: [a] });
const infraB = made("InfraCluster", "b", { owners: [b] });
const deployment = made("MachineDeployment", "md", { owners: [a] });
const machineSet = made("MachineSet", "ms", { owners: [deployment] });
const template = made("InfraMachineTemplate", "t", { owners: [a, b] });
const controlPlane = made("KubeadmControlPlane", "cp", { owners: [a] });
const clusterClass = made("ClusterClass", "class");
const classTemplate = made("InfraMachineTemplate", "ct", { owners: [clusterClass] });
const ofClass = (name: string, namespace = "ns", classNamespace?: string) =>
  made("Cluster", name, {
    namespace,
    spec: {
      topology: {
        classRef: { name: "class", ...(classNamespace && { namespace: classNamespace }) },
      },
    },
  });
const resourceSet = made("ClusterResourceSet", "crs");
const addon = made("ConfigMap", "addon", { owners: [resourceSet] });
const binding = made("ClusterResourceSetBinding", "a", {
  owners: [resourceSet],
  spec: { clusterName: "a" },
});
const identity = made("Identity", "account");
const credentials = made("Secret", "account", { owners: [identity], namespace: "provider-system" });
const infraNaming = (name: string) =>
  made("InfraCluster", "a", { owners: [a], spec: { identityRef: { kind: "Identity", name } } });
const stranger = made("Plain", "stranger");

interface Case {
  readonly objects: readonly KubeObject[];
  /** Each group in the order in which it is created; "=" stays at the source. */
  readonly groups: readonly string[];
  readonly left?: readonly string[];
  readonly options?: PlanOptions;
}

const label = (name: string) => ({ [`clusterctl.cluster.x-k8s.io/${name}`]: "" });

const cases: Readonly<Record<string, Case>> = {
  "a cluster": { objects: [a, infraA], groups: ["Cluster/a", "InfraCluster/a"] },
  "owners are found whichever comes first": {
    objects: [infraA, a],
    groups: ["Cluster/a", "InfraCluster/a"],
  },
  "Secrets are found by the name of the cluster, unless somebody owns them": {
    objects: [
      a,
      made("Secret", "a-kubeconfig"),
      made("Secret", "a-etcd"),
      made("Secret", "a-apiserver-etcd-client"),
      made("Secret", "a-notes"),
      made("Secret", "b-ca"),
      made("Secret", "a-ca", { namespace: "elsewhere" }),
      made("Secret", "a-sa", { owners: [made("Plain", "unseen")] }),
    ],
    groups: ["Cluster/a", "Secret/a-etcd Secret/a-kubeconfig"],
  },
  "a Secret with the label, whoever owns it": {
    objects: [a, made("Secret", "cloud", { labels: label("move") })],
    groups: ["Cluster/a Secret/cloud"],
  },
  "an object with the label for its hierarchy, with what it owns": {
    objects: [
      made("Plain", "top", { labels: label("move-hierarchy") }),
      made("Secret", "below", { owners: [made("Plain", "top")] }),
    ],
    groups: ["Plain/top", "Secret/below"],
  },
  "two clusters": {
    objects: [a, infraA, b, infraB],
    groups: ["Cluster/a Cluster/b", "InfraCluster/a InfraCluster/b"],
  },
  "a machine": {
    objects: [a, ...machineParts(a, a, "m")],
    groups: [
      "Cluster/a",
      "Machine/m Secret/a-ca",
      "InfraMachine/m KubeadmConfig/m",
      "Secret/m-data",
    ],
  },
  "a MachineDeployment with its machines": {
    objects: [machineSet, ...machineParts(a, machineSet, "m"), deployment, a],
    groups: [
      "Cluster/a",
      "MachineDeployment/md Secret/a-ca",
      "MachineSet/ms",
      "Machine/m",
      "InfraMachine/m KubeadmConfig/m",
      "Secret/m-data",
    ],
  },
  "a control plane with its Secrets": {
    objects: [a, controlPlane, made("Secret", "a-sa", { owners: [controlPlane] })],
    groups: ["Cluster/a", "KubeadmControlPlane/cp", "Secret/a-sa"],
  },
  "a MachinePool": {
    objects: [a, made("MachinePool", "mp", { owners: [a] })],
    groups: ["Cluster/a", "MachinePool/mp"],
  },
  "a template that two clusters share": {
    objects: [a, b, template],
    groups: ["Cluster/a Cluster/b", "InfraMachineTemplate/t"],
  },
  "a ClusterResourceSet that is applied to a cluster": {
    objects: [a, resourceSet, addon, binding],
    groups: ["Cluster/a ClusterResourceSet/crs", "ClusterResourceSetBinding/a ConfigMap/addon"],
  },
  "a ClusterClass before the clusters that are made from it": {
    objects: [ofClass("a"), clusterClass, classTemplate, ofClass("b")],
    groups: ["ClusterClass/class", "Cluster/a Cluster/b InfraMachineTemplate/ct"],
  },
  "a ClusterClass that nobody uses": {
    objects: [clusterClass, classTemplate],
    groups: ["ClusterClass/class", "InfraMachineTemplate/ct"],
  },
  "a ClusterClass in another namespace is copied and stays, with its templates": {
    objects: [
      ofClass("a", "ns", "classes"),
      made("ClusterClass", "class", { namespace: "classes" }),
      made("InfraMachineTemplate", "t", {
        namespace: "classes",
        owners: [made("ClusterClass", "class", { namespace: "classes" })],
      }),
    ],
    groups: ["=ClusterClass/class", "=InfraMachineTemplate/t Cluster/a"],
  },
  "a ClusterClass that clusters of other namespaces use stays": {
    objects: [clusterClass, classTemplate, ofClass("a")],
    groups: ["=ClusterClass/class", "=InfraMachineTemplate/ct Cluster/a"],
    options: { namespace: "ns", usedElsewhere: new Set(["ns/class"]) },
  },
  "a kind that is labelled is moved, whoever owns its objects": {
    objects: [made("ForcedThing", "x")],
    groups: ["ForcedThing/x"],
  },
  "an identity in no namespace that is named is copied with its Secret, and both stay": {
    objects: [identity, credentials, a, infraNaming("account")],
    groups: ["=Identity/account Cluster/a", "=Secret/account InfraCluster/a"],
    left: [],
  },
  "an identity that nothing names is left with its Secret": {
    objects: [identity, credentials, a, infraNaming("another")],
    groups: ["Cluster/a", "InfraCluster/a"],
    left: ["Identity/account: nothing that is moved names it"],
  },
  "an identity that another one names comes along": {
    objects: [
      a,
      infraNaming("account"),
      made("Identity", "account", { spec: { sourceRef: { kind: "Identity", name: "source" } } }),
      made("Identity", "source"),
      made("Secret", "source", { owners: [made("Identity", "source")] }),
    ],
    groups: ["=Identity/account =Identity/source Cluster/a", "=Secret/source InfraCluster/a"],
  },
  "an identity with the label, whether it is named or not": {
    objects: [a, made("Identity", "account", { labels: label("move") }), credentials],
    groups: ["=Identity/account Cluster/a", "=Secret/account"],
  },
  "what else is in no namespace and is of a labelled kind, whether it is named or not": {
    objects: [a, made("Zone", "north")],
    groups: ["=Zone/north Cluster/a"],
  },
  "Secrets of a provider's namespace that nobody owns are not moved": {
    objects: [a, made("Secret", "settings", { namespace: "provider-system" })],
    groups: ["Cluster/a"],
  },
  "what nobody owns is left": {
    objects: [a, stranger],
    groups: ["Cluster/a"],
    left: ["Plain/stranger: no cluster owns it"],
  },
  "what is owned by something that is not moved is left, and what that owns": {
    objects: [
      a,
      made("InfraCluster", "a", { owners: [a, stranger] }),
      made("Secret", "x", { owners: [made("InfraCluster", "a")] }),
      stranger,
      made("Secret", "y", { owners: [a, made("Plain", "unseen")] }),
    ],
    groups: ["Cluster/a"],
    left: [
      "InfraCluster/a: its owner Plain.external.example.com stranger is not moved",
      "Plain/stranger: no cluster owns it",
      "Secret/x: its owner InfraCluster.infrastructure.cluster.x-k8s.io a is left, too",
      "Secret/y: its owner Plain.external.example.com unseen is not moved",
    ],
  },
  "owners in a circle are left": {
    objects: [
      a,
      made("InfraCluster", "x", { owners: [a, made("InfraMachine", "y")] }),
      made("InfraMachine", "y", { owners: [made("InfraCluster", "x")] }),
    ],
    groups: ["Cluster/a"],
    left: [
      "InfraCluster/x: its owner InfraMachine.infrastructure.cluster.x-k8s.io y is left, too",
      "InfraMachine/y: its owner InfraCluster.infrastructure.cluster.x-k8s.io x is left, too",
    ],
  },
  "one cluster of two": {
    objects: [a, infraA, b, infraB, stranger, made("ForcedThing", "x")],
    groups: ["Cluster/a", "InfraCluster/a"],
    left: [],
    options: { namespace: "ns", cluster: "a" },
  },
  "one cluster takes a copy of its class, and the other's clusters stay out of it": {
    objects: [clusterClass, classTemplate, ofClass("a"), ofClass("b"), infraA, infraB],
    groups: ["=ClusterClass/class", "=InfraMachineTemplate/ct Cluster/a", "InfraCluster/a"],
    options: { namespace: "ns", cluster: "a" },
  },
  "one cluster takes a copy of what it has together with another, and that one keeps it": {
    objects: [a, b, template, infraB, made("Secret", "x", { owners: [template] })],
    groups: ["Cluster/a", "=InfraMachineTemplate/t", "=Secret/x"],
    left: [],
    options: { namespace: "ns", cluster: "a" },
  },
  "one cluster takes the ClusterResourceSet of its binding along": {
    objects: [a, b, resourceSet, addon, binding],
    groups: ["=ClusterResourceSet/crs Cluster/a", "=ConfigMap/addon ClusterResourceSetBinding/a"],
    options: { namespace: "ns", cluster: "a" },
  },
  "one cluster takes the identity that it names along, and no other": {
    objects: [
      a,
      made("InfraCluster", "a", {
        owners: [a],
        spec: { identityRef: { kind: "Identity", name: "account" } },
      }),
      identity,
      credentials,
      made("Identity", "another"),
    ],
    groups: ["=Identity/account Cluster/a", "=Secret/account InfraCluster/a"],
    options: { namespace: "ns", cluster: "a" },
  },
};

function describeGroups({ objects }: MovePlan): readonly string[] {
  const groups: string[][] = [];
  for (const { object, group, stays } of objects) {
    groups[group] ??= [];
    groups[group].push(`${stays ? "=" : ""}${object.kind}/${object.metadata.name}`);
  }
  return groups.map((group) => group.sort().join(" "));
}

describe("movePlanOf", () => {
  for (const [name, { objects, groups, left, options }] of Object.entries(cases)) {
    it(name, () => {
      const plan = movePlanOf(objectGraphOf(objects, types), options ?? { namespace: "ns" });
      assert.ok(plan);
      assert.deepEqual(describeGroups(plan), groups);
      if (!left) return;
      const told = plan.left.map(({ kind, key, why }) => `${kind}/${key.name}: ${why}`).sort();
      assert.equal(told.length, left.length, told.join("\n"));
      for (const [index, line] of left.entries())
        assert.ok(told[index]?.startsWith(line), told[index]);
    });
  }

  it("has every identity where a journal may speak of clusters that are gone", () => {
    const graph = objectGraphOf([a, identity, credentials], types);
    const plan = movePlanOf(graph, { namespace: "ns", everyIdentity: true });
    assert.deepEqual(describeGroups(plan ?? { objects: [], left: [] }), [
      "=Identity/account Cluster/a",
      "=Secret/account",
    ]);
  });

  it("knows that there is no such cluster", () => {
    const graph = objectGraphOf([a], types);
    assert.equal(movePlanOf(graph, { namespace: "ns", cluster: "z" }), undefined);
    assert.equal(movePlanOf(graph, { namespace: "other", cluster: "a" }), undefined);
  });

  it("does without the other owners of what it copies with one cluster", () => {
    const options = { namespace: "ns", cluster: "a" };
    const plan = movePlanOf(objectGraphOf([a, b, template], types), options);
    assert.deepEqual(
      plan?.objects[1]?.owners.map(({ name }) => name),
      ["a"],
    );
  });

  it("refers to owners in the version in which they are moved", () => {
    const plan = movePlanOf(objectGraphOf([a, infraA], types), { namespace: "ns" });
    assert.deepEqual(plan?.objects[1]?.owners, [
      { apiVersion: "cluster.x-k8s.io/v1", kind: "Cluster", name: "a", uid: "Cluster/ns/a" },
    ]);
  });
});
