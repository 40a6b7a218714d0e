import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import type { PolicyRule } from "@rookery/runtime";
import { componentManifests } from "./components.ts";

type Manifest = KubeObject<Record<string, unknown>> & { readonly rules?: readonly PolicyRule[] };

const manifests = componentManifests("rookery:1") as readonly Manifest[];
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const role = (name: string) => {
  const found = manifests.find(
    ({ kind, metadata }) => kind.endsWith("Role") && metadata.name === name,
  );
  assert.ok(found?.rules, name);
  return found.rules;
};
const verbsOn = (name: string, resource: string) =>
  role(name).flatMap(({ resources, verbs }) => (resources.includes(resource) ? verbs : []));

describe("the components of the vSphere provider", () => {
  it("are found by clusterctl: each has the label of the provider", () => {
    for (const { kind, metadata } of manifests) {
      const label = metadata.labels?.["cluster.x-k8s.io/provider"];
      assert.equal(label, "infrastructure-vsphere", `${kind} ${metadata.name}`);
    }
  });

  it("say which contracts each kind has, and that identities are moved with their Secrets", () => {
    const definitions = ofKind("CustomResourceDefinition");
    assert.equal(definitions.length, 6);
    for (const { metadata } of definitions) {
      assert.equal(metadata.labels?.["cluster.x-k8s.io/v1beta1"], "v1beta1", metadata.name);
      assert.equal(metadata.labels?.["cluster.x-k8s.io/v1beta2"], "v1beta1", metadata.name);
      assert.equal(metadata.labels?.["clusterctl.cluster.x-k8s.io"], "", metadata.name);
    }
    const moved = definitions.filter(
      ({ metadata }) => "clusterctl.cluster.x-k8s.io/move-hierarchy" in (metadata.labels ?? {}),
    );
    assert.deepEqual(
      moved.map(({ metadata }) => metadata.name),
      ["vsphereclusteridentities.infrastructure.cluster.x-k8s.io"],
    );
  });

  it("let Cluster API's core use their kinds under any group, which no role of its own names", () => {
    const [found] = manifests.filter(
      ({ metadata }) => metadata.labels?.["cluster.x-k8s.io/aggregate-to-manager"] === "true",
    );
    assert.deepEqual(found?.rules?.[0]?.resources, [
      "vsphereclusters",
      "vsphereclustertemplates",
      "vspheremachines",
      "vspheremachinetemplates",
    ]);
  });

  it("need no cert-manager", () => {
    assert.doesNotMatch(JSON.stringify(manifests), /cert-manager/);
  });

  it("give no right to everything, nor to make Secrets outside of their own namespace", () => {
    for (const { kind, metadata, rules = [] } of manifests) {
      for (const rule of rules) {
        const text = `${kind} ${metadata.name}: ${JSON.stringify(rule)}`;
        const { apiGroups, resources, verbs } = rule;
        assert.ok(![...apiGroups, ...resources, ...verbs].includes("*"), text);
      }
    }
    assert.deepEqual(verbsOn("capv-manager-role", "secrets"), ["get", "list", "watch", "patch"]);
    assert.ok(!verbsOn("capv-manager-role", "vsphereclusteridentities").includes("delete"));
  });

  it("let people write as the table of the proposal says", () => {
    const writes = (name: string) =>
      ["vsphereclusteridentities", "secrets", "clusters", "vsphereclusters"].map((resource) =>
        verbsOn(name, resource).includes("create"),
      );
    assert.deepEqual(writes("capv-infrastructure-provider"), [true, true, true, true]);
    assert.deepEqual(writes("capv-management-cluster-operator"), [true, true, true, true]);
    assert.deepEqual(writes("capv-workload-cluster-operator"), [false, true, true, true]);
    assert.deepEqual(writes("capv-identity-viewer"), [false, false, false, false]);
  });

  it("let nobody of them write a status, a namespace, or who may do what", () => {
    const text = JSON.stringify([
      role("capv-workload-cluster-operator"),
      role("capv-management-cluster-operator"),
    ]);
    assert.doesNotMatch(text, /\/status|namespaces|rbac/);
  });

  it("can be applied in their order: the namespace and kinds before what needs them", () => {
    const kinds = manifests.map(({ kind }) => kind);
    assert.equal(kinds[0], "Namespace");
    assert.ok(kinds.lastIndexOf("CustomResourceDefinition") < kinds.indexOf("Deployment"));
    assert.ok(kinds.indexOf("ServiceAccount") < kinds.indexOf("Deployment"));
    assert.equal(kinds.at(-1), "ValidatingWebhookConfiguration");
  });
});
