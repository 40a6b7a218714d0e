import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { providerKinds } from "@rookery/api";
import { componentKinds, type PolicyRule } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import { InstallError } from "../errors.ts";
import { operatorManifests } from "./manifests.ts";

type Manifest = KubeObject<Record<string, unknown>> & {
  readonly rules?: readonly PolicyRule[];
  readonly webhooks?: readonly { readonly name: string }[];
};

const render = (options: Partial<Parameters<typeof operatorManifests>[0]> = {}) =>
  operatorManifests({ image: "rookery:1", ...options }) as readonly Manifest[];
const kindOf = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);
const rules = () => render().flatMap((manifest) => manifest.rules ?? []);

describe("the manifests of the operator", () => {
  it("can be applied in their order", () => {
    const kinds = render().map(({ kind }) => kind);
    assert.equal(kinds[0], "Namespace");
    assert.ok(kinds.lastIndexOf("CustomResourceDefinition") < kinds.indexOf("Deployment"));
    assert.ok(kinds.indexOf("ServiceAccount") < kinds.indexOf("Deployment"));
    assert.equal(kinds.at(-1), "ValidatingWebhookConfiguration");
  });

  it("have the seven kinds and clusterctl's inventory", () => {
    const names = kindOf(render(), "CustomResourceDefinition").map(({ metadata }) => metadata.name);
    const own = providerKinds.map(({ plural, group }) => `${plural}.${group}`);
    assert.deepEqual(names, [...own, "providers.clusterctl.cluster.x-k8s.io"]);
  });

  it("ask the operator about each of its kinds", () => {
    const [configuration] = kindOf(render(), "ValidatingWebhookConfiguration");
    assert.equal(configuration?.webhooks?.length, providerKinds.length);
    assert.match(
      JSON.stringify(configuration),
      /"path":"\/validate-management-cluster-x-k8s-io-v1alpha1-coreprovider"/,
    );
  });

  it("allow no star", () => {
    for (const { apiGroups, resources, verbs } of rules()) {
      assert.ok(![apiGroups, resources, verbs].flat().includes("*"));
    }
  });

  it("allow every kind that components may hold to be applied and deleted", () => {
    for (const { group, plural } of componentKinds) {
      const verbs = rules()
        .filter(({ apiGroups }) => apiGroups.includes(group))
        .filter(({ resources }) => resources.includes(plural))
        .flatMap((rule) => rule.verbs);
      for (const verb of ["get", "list", "watch", "create", "patch", "delete"]) {
        assert.ok(verbs.includes(verb), `${verb} ${plural}`);
      }
    }
  });

  it("allow nothing on the kinds of providers: the operator gives that to itself with each", () => {
    const groups = new Set(rules().flatMap(({ apiGroups }) => apiGroups));
    assert.ok(!groups.has("cluster.x-k8s.io"));
    assert.ok(!groups.has("infrastructure.cluster.x-k8s.io"));
  });

  it("have roles for people that nobody gets by admin, edit or view, and that say no status", () => {
    const people = kindOf(render(), "ClusterRole").filter(({ metadata }) =>
      metadata.name?.startsWith("rookery-provider-"),
    );
    assert.equal(people.length, 3);
    for (const { metadata, rules: own = [] } of people) {
      const labels = Object.keys(metadata.labels ?? {});
      assert.ok(!labels.some((label) => label.includes("aggregate")), `${labels}`);
      const resources = own.flatMap((rule) => rule.resources);
      assert.ok(!resources.some((resource) => resource.includes("/")), `${resources}`);
    }
  });

  it("pass the environment on", () => {
    const text = JSON.stringify(render({ env: { HTTPS_PROXY: "http://proxy:3128" } }));
    assert.match(text, /\{"name":"HTTPS_PROXY","value":"http:\/\/proxy:3128"\}/);
  });

  it("are refused with all problems at once", () => {
    const wrong = { namespace: "Not_one", image: "", env: { "a b": "c" } };
    assert.throws(
      () => render(wrong),
      (error: InstallError) => {
        assert.ok(error instanceof InstallError);
        assert.equal(error.problems.length, 3, error.message);
        assert.match(error.message, /could not render the operator: --namespace "Not_one"/);
        return true;
      },
    );
  });
});
