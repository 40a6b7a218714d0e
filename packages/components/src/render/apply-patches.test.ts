import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { find, managerOf, problemsOf, render } from "../../test/render/render.ts";
import type { ComponentPatch } from "../spec/provider-spec.ts";
import { patchProblem } from "./apply-patches.ts";

const deployment = { kind: "Deployment", name: "controller-manager" };
const patched = (...patches: readonly ComponentPatch[]) =>
  render({ namespace: "elsewhere", spec: { patches } });
const strategic = (patch: string, target?: ComponentPatch["target"]): ComponentPatch => ({
  patch,
  ...(target && { target }),
});

describe("a patch of rendered components", () => {
  it("that is a strategic merge patch merges lists by their keys, found by kind and name", () => {
    const rendering = patched(
      strategic(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller-manager, annotations: {team: a}}
spec:
  template:
    spec:
      priorityClassName: high
      containers:
      - name: manager
        env: [{name: EXTRA, value: "1"}]
`),
    );
    const found = find(rendering, "Deployment");
    assert.equal(found.metadata.annotations?.team, "a");
    assert.equal(Object(found.spec).template.spec.priorityClassName, "high");
    assert.equal(Object(found.spec).template.spec.containers.length, 2);
    const names = managerOf(rendering).env?.map(({ name }) => name);
    assert.deepEqual(names?.sort(), ["EXTRA", "POD_NAMESPACE"]);
  });

  it("that is a JSON patch is for its target, and may be JSON or YAML", () => {
    const step = { op: "replace", path: "/spec/replicas", value: 3 };
    const yaml = "- {op: add, path: /metadata/annotations, value: {a: b}}";
    const rendering = patched(
      { patch: JSON.stringify([step]), target: deployment },
      { patch: yaml, target: { group: "apps", version: "v1", labelSelector: "app=nests" } },
    );
    const { metadata, spec } = find(rendering, "Deployment");
    assert.equal(Object(spec).replicas, 3);
    assert.deepEqual(metadata.annotations, { a: "b" });
  });

  it("goes to all that its target fits, whatever its own kind and name say", () => {
    const body = "kind: any\nmetadata: {name: any, labels: {team: a}}";
    const rendering = patched(strategic(body, { kind: "*Binding", name: ".*" }));
    const kinds = rendering.components
      .filter(({ metadata }) => metadata.labels?.team === "a")
      .map(({ kind }) => kind);
    assert.deepEqual(kinds.sort(), ["ClusterRoleBinding", "RoleBinding"]);
  });

  it("is applied after the one before it, and wins over manager and deployment", () => {
    const replicas = (value: number) => strategic(`{kind: Deployment, spec: {replicas: ${value}}}`);
    const rendering = render({
      spec: { deployment: { replicas: 1 }, patches: [replicas(2), replicas(3)] },
    });
    assert.equal(Object(find(rendering, "Deployment").spec).replicas, 3);
  });

  it("leaves a component out", () => {
    const rendering = patched(
      strategic("$patch: delete", { kind: "Issuer" }),
      strategic("{kind: Nest, $patch: delete}"),
    );
    const kinds = rendering.components.map(({ kind }) => kind);
    assert.ok(!kinds.includes("Issuer") && !kinds.includes("Nest"));
  });

  it("replaces lists of other kinds", () => {
    const patch = "{kind: Certificate, spec: {dnsNames: [only.example]}}";
    const { spec } = find(patched(strategic(patch)), "Certificate");
    assert.deepEqual(Object(spec).dnsNames, ["only.example"]);
  });
});

const refused: Readonly<Record<string, readonly [ComponentPatch, RegExp]>> = {
  "fits no component": [
    strategic("{kind: Deployment, metadata: {name: other}}"),
    /^could not apply spec\.patches\[0\]: it fits none of the components; there are /,
  ],
  "fits none of its kind, which are named": [
    { patch: "[]", target: { kind: "Deployment", name: "other" } },
    /there are Deployment elsewhere\/controller-manager$/,
  ],
  "moves a component to another namespace": [
    {
      patch: "[{op: replace, path: /metadata/namespace, value: kube-system}]",
      target: deployment,
    },
    /Deployment elsewhere\/controller-manager: it would change metadata\.namespace/,
  ],
  "renames a component": [
    { patch: "[{op: replace, path: /metadata/name, value: x}]", target: deployment },
    /it would change metadata\.name/,
  ],
  "makes another kind of it": [
    { patch: "[{op: replace, path: /kind, value: DaemonSet}]", target: deployment },
    /it would change kind/,
  ],
  "takes a component out of the provider's hands": [
    strategic("metadata: {labels: {cluster.x-k8s.io/provider: null}}", deployment),
    /it would change the label cluster\.x-k8s\.io\/provider/,
  ],
  "gives rights to an account of another namespace": [
    strategic(
      "{kind: ClusterRoleBinding, subjects: [{kind: ServiceAccount, name: a, namespace: team}]}",
    ),
    /ClusterRoleBinding manager reaches outside of its namespace elsewhere: subjects\[0\] is in team/,
  ],
  "calls a webhook in another namespace": [
    {
      patch: "[{op: replace, path: /webhooks/0/clientConfig/service/namespace, value: team}]",
      target: { kind: "ValidatingWebhookConfiguration" },
    },
    /webhooks\[0\]\.clientConfig\.service is in team/,
  ],
  "leaves no object": [
    { patch: "[{op: replace, path: '', value: {}}]", target: deployment },
    /nothing with metadata would be left/,
  ],
  "leaves no containers": [
    {
      patch: "[{op: replace, path: /spec/template/spec/containers, value: x}]",
      target: deployment,
    },
    /no list of containers would be left/,
  ],
  "deletes the Namespace": [
    strategic("{kind: Namespace, $patch: delete}"),
    /the provider needs its Namespace/,
  ],
  "tests for what is not so": [
    { patch: "[{op: test, path: /spec/replicas, value: 9}]", target: deployment },
    /Deployment elsewhere\/controller-manager: .*test/,
  ],
};

describe("a patch is refused that", () => {
  for (const [what, [patch, message]] of Object.entries(refused)) {
    it(what, () => {
      const messages = problemsOf({ namespace: "elsewhere", spec: { patches: [patch] } });
      assert.match(messages[0]?.message ?? "", message);
    });
  }
});

const unreadable: Readonly<Record<string, readonly [ComponentPatch, RegExp]>> = {
  "no YAML": [strategic("a: ["), /could not read document 1/],
  "several documents": [strategic("kind: A\n---\nkind: B"), /it has 2 YAML documents/],
  nothing: [strategic("# a comment"), /it has 0 YAML documents/],
  "only text": [strategic("text"), /it is neither an object .* nor a list of operations/],
  "a list of operations for nobody": [strategic("[]"), /needs a target/],
  "an object for nobody": [strategic("metadata: {}"), /neither a target nor a kind/],
  "a selector that is none": [
    strategic("{}", { labelSelector: "a in (" }),
    /target\.labelSelector: /,
  ],
};

describe("a patch is wrong by itself where it is", () => {
  for (const [what, [patch, message]] of Object.entries(unreadable)) {
    it(what, () => assert.match(patchProblem(patch) ?? "", message));
  }

  it("and right where it is not", () => {
    assert.equal(patchProblem({ patch: "[]", target: {} }), undefined);
  });
});
