import assert from "node:assert/strict";
import { test } from "node:test";
import { providerComponents } from "./components-fixture.ts";
import { installStages } from "./install-order.ts";
import { find, render } from "./render-fixture.ts";

test("everything goes into the namespace that is asked for, with all that refers to it", () => {
  const rendering = render({ namespace: "elsewhere" });
  assert.equal(rendering.namespace, "elsewhere");
  assert.doesNotMatch(JSON.stringify(rendering.components), /capi-system/);
  assert.equal(find(rendering, "Namespace").metadata.name, "elsewhere");
  assert.equal(find(rendering, "Nest").metadata.namespace, "elsewhere");
  assert.equal(find(rendering, "ClusterRoleBinding").metadata.namespace, undefined);
  assert.deepEqual(Object(find(rendering, "Certificate").spec).dnsNames, [
    "webhook-service.elsewhere.svc",
    "webhook-service.elsewhere.svc.cluster.local",
  ]);
  assert.deepEqual(find(rendering, "ClusterRoleBinding").subjects, [
    { kind: "ServiceAccount", name: "manager", namespace: "elsewhere" },
    { kind: "Group", name: "admins" },
  ]);
});

test("without a namespace components stay where they are written for", () => {
  assert.equal(render().namespace, "capi-system");
});

test("a Namespace is added where the components have none", () => {
  const components = providerComponents().filter(({ kind }) => kind !== "Namespace");
  const rendering = render({ components, namespace: "elsewhere" });
  assert.equal(rendering.components[0]?.metadata.name, "elsewhere");
  assert.equal(rendering.components[0]?.kind, "Namespace");
});

test("every component has clusterctl's labels beside its own", () => {
  const rendering = render({ provider: { kind: "BootstrapProvider", name: "kubeadm" } });
  for (const { metadata } of rendering.components) {
    assert.equal(metadata.labels?.["clusterctl.cluster.x-k8s.io"], "");
    assert.equal(metadata.labels?.["cluster.x-k8s.io/provider"], "bootstrap-kubeadm");
  }
  assert.equal(find(rendering, "Deployment").metadata.labels?.app, "nests");
});

test("components are in the order to apply them: webhooks last", () => {
  const order = installStages(render().components).map(({ stage, components }) => [
    stage,
    components.map(({ kind }) => kind),
  ]);
  assert.deepEqual(order, [
    ["namespace", ["Namespace"]],
    ["crds", ["CustomResourceDefinition"]],
    ["rbac", ["ClusterRoleBinding", "RoleBinding"]],
    ["configuration", ["Service", "Certificate", "Issuer"]],
    ["workloads", ["Deployment"]],
    ["instances", ["Nest"]],
    ["webhooks", ["ValidatingWebhookConfiguration"]],
  ]);
});

test("what is given is not written to", () => {
  const components = providerComponents();
  const before = JSON.stringify(components);
  render({ components, namespace: "x", spec: { deployment: { replicas: 3 } } });
  assert.equal(JSON.stringify(components), before);
});

test("rules that the control plane aggregates are left to it", () => {
  const role = (name: string, more: string) =>
    `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: ${name}}, rules: []${more}}`;
  const aggregated = role("aggregated", ", aggregationRule: {clusterRoleSelectors: []}");
  const components = providerComponents(`${aggregated}\n---\n${role("plain", "")}`);
  const roles = render({ components }).components.filter(({ kind }) => kind === "ClusterRole");
  assert.deepEqual(
    roles.map((one) => [one.metadata.name, "rules" in one, "aggregationRule" in one]),
    [
      ["aggregated", false, true],
      ["plain", true, false],
    ],
  );
});
