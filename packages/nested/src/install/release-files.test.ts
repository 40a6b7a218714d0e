import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import type { PolicyRule } from "@rookery/runtime";
import { nestedRelease } from "./release-files.ts";

type Manifest = KubeObject<Record<string, unknown>> & { readonly rules?: readonly PolicyRule[] };

const release = nestedRelease({ image: "rookery:1" });
const file = (name: string) => (release.get(name) ?? []) as readonly Manifest[];
const providers = {
  "infrastructure-nested": file("infrastructure-components.yaml"),
  "control-plane-nested": file("control-plane-components.yaml"),
};

for (const [provider, manifests] of Object.entries(providers)) {
  describe(`the components of ${provider}`, () => {
    const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

    test("are found by clusterctl: each has the label of the provider", () => {
      for (const { kind, metadata } of manifests) {
        const label = metadata.labels?.["cluster.x-k8s.io/provider"];
        assert.equal(label, provider, `${kind} ${metadata.name}`);
      }
    });

    test("say which contracts each kind has", () => {
      for (const { metadata } of ofKind("CustomResourceDefinition")) {
        assert.equal(metadata.labels?.["cluster.x-k8s.io/v1beta1"], "v1alpha4");
        assert.equal(metadata.labels?.["cluster.x-k8s.io/v1beta2"], "v1alpha4");
      }
    });

    test("give no right to everything, and let Cluster API use the kinds", () => {
      for (const { kind, metadata, rules = [] } of manifests) {
        for (const { apiGroups, resources, verbs } of rules) {
          const all = [...apiGroups, ...resources, ...verbs];
          assert.ok(!all.includes("*"), `${kind} ${metadata.name}`);
        }
      }
      const labelled = ofKind("ClusterRole").filter(
        ({ metadata }) => metadata.labels?.["cluster.x-k8s.io/aggregate-to-manager"] === "true",
      );
      assert.equal(labelled.length, 1);
    });

    test("need no cert-manager, and one container is the manager", () => {
      assert.doesNotMatch(JSON.stringify(manifests), /cert-manager/);
      assert.match(JSON.stringify(ofKind("Deployment")), /"name":"manager","image":"rookery:1"/);
    });

    test("can be applied in their order", () => {
      const kinds = manifests.map(({ kind }) => kind);
      assert.equal(kinds[0], "Namespace");
      assert.ok(kinds.lastIndexOf("CustomResourceDefinition") < kinds.indexOf("Deployment"));
      assert.equal(kinds.at(-1), "ValidatingWebhookConfiguration");
    });
  });
}

test("both providers together hold each kind and each name once", () => {
  const all = Object.values(providers).flat();
  const names = all.map(({ kind, metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`);
  assert.equal(new Set(names).size, names.length);
  const kinds = all.filter(({ kind }) => kind === "CustomResourceDefinition");
  assert.equal(kinds.length, 7);
});

test("only the control plane provider may touch Secrets of tenants", () => {
  const secretRules = (manifests: readonly Manifest[]) =>
    manifests
      .filter(({ kind }) => kind === "ClusterRole")
      .flatMap(({ rules = [] }) => rules)
      .filter(({ resources }) => resources.includes("secrets"));
  assert.equal(secretRules(providers["infrastructure-nested"]).length, 0);
  assert.equal(secretRules(providers["control-plane-nested"]).length, 1);
});

for (const name of ["cluster-template.yaml", "cluster-template-light.yaml"]) {
  test(`${name} is a Cluster with what it names`, () => {
    const [cluster, ...others] = file(name);
    assert.equal(cluster?.kind, "Cluster");
    assert.deepEqual(
      others.map(({ kind }) => kind),
      ["NestedCluster", "NestedControlPlane"],
    );
  });
}

test("the role for tenants reaches nothing that the manager makes of their objects", () => {
  const roles = file("control-plane-components.yaml").filter(
    ({ kind, metadata }) => kind === "ClusterRole" && metadata.name === "nested-tenant",
  );
  const writes = roles
    .flatMap(({ rules = [] }) => rules)
    .filter(({ verbs }) => verbs.some((verb) => !["get", "list", "watch"].includes(verb)))
    .flatMap(({ resources }) => resources);
  assert.deepEqual(writes, [
    "nestedcontrolplanes",
    "nestedetcds",
    "nestedapiservers",
    "nestedcontrollermanagers",
    "nestedclusters",
    "clusters",
  ]);
  const all = roles.flatMap(({ rules = [] }) => rules.flatMap(({ resources }) => resources));
  assert.doesNotMatch(all.join(), /secrets|pods|services|deployments|status|\*/);
});
