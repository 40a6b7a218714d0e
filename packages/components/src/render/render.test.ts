import assert from "node:assert/strict";
import { test } from "node:test";
import { providerComponents } from "../../test/render/components.ts";
import { find, problemsOf, render } from "../../test/render/render.ts";
import { parseComponents } from "../documents/documents.ts";
import { installStages } from "./known-kinds.ts";

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

test("an object of a kind that others define follows into the namespace, with all that it refers to", () => {
  const extension = `
apiVersion: runtime.cluster.x-k8s.io/v1beta2
kind: ExtensionConfig
metadata:
  name: hooks
  annotations: {runtime.cluster.x-k8s.io/inject-ca-from-secret: capi-system/webhook-cert}
spec:
  clientConfig:
    service: {name: webhook-service, namespace: capi-system}
    url: https://webhook-service.capi-system.svc:443/
  settings: {note: capi-system}
---
apiVersion: batch.example/v1
kind: Queue
metadata: {name: q}
`;
  const served = [
    {
      group: "runtime.cluster.x-k8s.io",
      kind: "ExtensionConfig",
      plural: "extensionconfigs",
      namespaced: false,
    },
    { group: "batch.example", kind: "Queue", plural: "queues", namespaced: true },
  ];
  const components = providerComponents(extension);
  const rendering = render({ components, served, namespace: "elsewhere" });
  const config = find(rendering, "ExtensionConfig");
  assert.equal(config.metadata.namespace, undefined);
  assert.equal(
    config.metadata.annotations?.["runtime.cluster.x-k8s.io/inject-ca-from-secret"],
    "elsewhere/webhook-cert",
  );
  assert.deepEqual(config.spec, {
    clientConfig: {
      service: { name: "webhook-service", namespace: "elsewhere" },
      url: "https://webhook-service.elsewhere.svc:443/",
    },
    settings: { note: "capi-system" },
  });
  assert.equal(find(rendering, "Queue").metadata.namespace, "elsewhere");
  // After the pods that it leads to, and before webhooks; also where no CRD says whose kind it is.
  const isPart = ({ kind }: { readonly kind: string }) => kind !== "CustomResourceDefinition";
  const stages = installStages(rendering.components.filter(isPart));
  const stageOf = (kind: string) =>
    stages.find(({ components: members }) => members.some((one) => one.kind === kind))?.stage;
  assert.deepEqual(
    stages.map(({ stage }) => stage),
    ["namespace", "rbac", "configuration", "workloads", "instances", "external", "webhooks"],
  );
  assert.deepEqual(
    [stageOf("ExtensionConfig"), stageOf("Queue"), stageOf("Nest")],
    ["external", "external", "instances"],
  );
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

test("additional manifests may be written for the namespace of the components or for that of the provider", () => {
  const manifests = (namespace: string) =>
    parseComponents(`
{apiVersion: v1, kind: ConfigMap, metadata: {name: more, namespace: ${namespace}}, data: {namespace: ${namespace}}}
---
{apiVersion: v1, kind: Secret, metadata: {name: plain}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: more}, subjects: [{kind: ServiceAccount, name: manager, namespace: ${namespace}}]}`);
  for (const namespace of ["capi-system", "elsewhere"]) {
    const rendering = render({ namespace: "elsewhere", additional: manifests(namespace) });
    const more = rendering.components.filter(({ metadata }) =>
      ["more", "plain"].includes(metadata.name ?? ""),
    );
    assert.deepEqual(
      more.map(({ metadata }) => metadata.namespace),
      [undefined, "elsewhere", "elsewhere"],
    );
    const binding = more.find(({ kind }) => kind === "ClusterRoleBinding");
    assert.deepEqual(binding?.subjects, [
      { kind: "ServiceAccount", name: "manager", namespace: "elsewhere" },
    ]);
    assert.deepEqual(more.find(({ kind }) => kind === "ConfigMap")?.data, { namespace });
    assert.equal(binding?.metadata.labels?.["cluster.x-k8s.io/provider"], "cluster-api");
  }
});

test("additional manifests may not reach into other namespaces, nor have components of the provider's", () => {
  const rows = {
    "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: kube-system}}":
      /Secret kube-system\/s reaches outside/,
    "{apiVersion: v1, kind: Service, metadata: {name: webhook-service, namespace: elsewhere}}":
      /is there twice/,
    "{apiVersion: v1, kind: Namespace, metadata: {name: third}}":
      /several namespaces \(capi-system, third\)/,
  };
  for (const [text, message] of Object.entries(rows)) {
    const problems = problemsOf({ namespace: "elsewhere", additional: parseComponents(text) });
    assert.match(problems[0]?.message ?? "", message);
  }
});
