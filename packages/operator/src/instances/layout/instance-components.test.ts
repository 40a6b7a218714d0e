import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  parseComponents,
} from "@rookery/components";
import type { InstanceLayout } from "../../state/install-state.ts";
import { instanceComponents } from "./instance-components.ts";

const rosa = ["rosa-a", "rosa-b"];
const instance = { name: "cluster-api", label: "cluster-api", flags: {} };
const capi1 = { ...instance, namespace: "capi1-system" };
const capi2 = { ...instance, namespace: "capi2-system" };

const first: InstanceLayout = {
  scope: { type: "namespaces", namespaces: rosa },
  by: "flag",
  first: true,
  admits: { type: "namespaces", namespaces: rosa },
  rbac: "Cluster",
  accounts: ["capi1-system", "capi2-system"],
};
const second: InstanceLayout = {
  ...first,
  scope: { type: "excluded", namespaces: rosa },
  first: false,
  admits: { type: "excluded", namespaces: rosa },
};

function componentsIn(namespace: string): readonly Component[] {
  return parseComponents(`
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusters.cluster.x-k8s.io}
spec:
  group: cluster.x-k8s.io
  scope: Namespaced
  names: {plural: clusters}
  conversion:
    strategy: Webhook
    webhook: {clientConfig: {service: {name: capi-webhook-service, namespace: ${namespace}, path: /convert}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: capi-aggregated-manager-role}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {aggregate: "true"}}]}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: capi-manager-role, labels: {aggregate: "true"}}
rules:
- {apiGroups: [cluster.x-k8s.io], resources: [clusters, clusters/status], verbs: ["*"]}
- {apiGroups: ["", apiextensions.k8s.io], resources: [secrets, namespaces, customresourcedefinitions], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: capi-manager-rolebinding}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: capi-aggregated-manager-role}
subjects: [{kind: ServiceAccount, name: capi-manager, namespace: ${namespace}}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: capi-manager, namespace: ${namespace}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: capi-controller-manager, namespace: ${namespace}}
spec:
  replicas: 1
  template:
    metadata: {labels: {app: capi}}
    spec: {containers: [{name: manager, args: [--leader-elect, --v=2]}, {name: other, args: [--x]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: capi-validating-webhook-configuration}
webhooks:
- name: validation.cluster
  namespaceSelector: {matchLabels: {keep: me}}
  rules: [{apiGroups: [cluster.x-k8s.io], resources: [clusters]}]
- name: validation.extensionconfig
  rules: [{apiGroups: [runtime.cluster.x-k8s.io], resources: [extensionconfigs], scope: Cluster}]
`);
}

interface Fields {
  readonly [field: string]: Fields;
}

function find(components: readonly Component[], kind: string, name: string): Fields {
  const found = components.find((one) => one.kind === kind && one.metadata.name === name);
  assert.ok(found, `${kind} ${name} among ${components.map((one) => one.metadata.name)}`);
  return found as unknown as Fields;
}

function containersOf(components: readonly Component[]): readonly { args: string[] }[] {
  const { spec } = find(components, "Deployment", "capi-controller-manager");
  return (spec?.template?.spec?.containers ?? []) as unknown as { args: string[] }[];
}

const keysOf = (components: readonly Component[]) =>
  components.map((one) => formatComponentKey(componentKeyOf(one))).sort();

describe("the layout of two instances", () => {
  const one = instanceComponents(componentsIn("capi1-system"), first, capi1);
  const two = instanceComponents(componentsIn("capi2-system"), second, capi2);

  it("has global resources once: CRDs, ClusterRoles, one ClusterRoleBinding", () => {
    const shared = ["CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding"];
    assert.ok(shared.every((kind) => one.some((component) => component.kind === kind)));
    assert.ok(!shared.some((kind) => two.some((component) => component.kind === kind)));
  });

  it("has what an external kind keeps in no namespace once, and in a namespace in each", () => {
    const external = (namespace: string) =>
      parseComponents(`
{apiVersion: runtime.cluster.x-k8s.io/v1, kind: ExtensionConfig, metadata: {name: hooks}}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: hooks, namespace: ${namespace}}}`);
    const kindsOf = (components: readonly Component[]) => components.map(({ kind }) => kind);
    assert.deepEqual(kindsOf(instanceComponents(external("capi1-system"), first, capi1)), [
      "ExtensionConfig",
      "ResourceQuota",
    ]);
    assert.deepEqual(kindsOf(instanceComponents(external("capi2-system"), second, capi2)), [
      "ResourceQuota",
    ]);
  });

  it("has conversion webhooks that point into the first instance only, which the CRDs name", () => {
    const { metadata, spec } = find(one, "CustomResourceDefinition", "clusters.cluster.x-k8s.io");
    assert.deepEqual(spec?.conversion?.webhook?.clientConfig?.service, {
      name: "capi-webhook-service",
      namespace: "capi1-system",
      path: "/convert",
    });
    assert.deepEqual(metadata?.annotations, {
      "management.cluster.x-k8s.io/first-instance": "capi1-system/cluster-api",
    });
  });

  it("binds the service accounts of all instances to the ClusterRole", () => {
    const { subjects } = find(one, "ClusterRoleBinding", "capi-manager-rolebinding");
    assert.deepEqual(subjects, [
      { kind: "ServiceAccount", name: "capi-manager", namespace: "capi1-system" },
      { kind: "ServiceAccount", name: "capi-manager", namespace: "capi2-system" },
    ]);
  });

  it("gives each its namespace, account, Deployment and webhooks, these under names of their own", () => {
    assert.deepEqual(keysOf(two), [
      "Deployment.apps/capi2-system/capi-controller-manager",
      "Namespace.//capi2-system",
      "ServiceAccount./capi2-system/capi-manager",
      "ValidatingWebhookConfiguration.admissionregistration.k8s.io//capi-validating-webhook-configuration-capi2-system",
    ]);
  });

  it("gives the managers the extra args, and their pods the annotation that says the same", () => {
    const args = (components: readonly Component[]) => {
      const [manager, other] = containersOf(components);
      assert.deepEqual(other?.args, ["--x"]);
      return manager?.args.slice(2);
    };
    assert.deepEqual(args(one), ["--namespace=rosa-a", "--namespace=rosa-b"]);
    assert.deepEqual(args(two), ["--excluded-namespace=rosa-a", "--excluded-namespace=rosa-b"]);
    const { spec } = find(two, "Deployment", "capi-controller-manager");
    assert.deepEqual(spec?.template?.metadata, {
      labels: { app: "capi", "management.cluster.x-k8s.io/instance-of": "cluster-api" },
      annotations: {
        "management.cluster.x-k8s.io/watch": '{"type":"excluded","namespaces":["rosa-a","rosa-b"]}',
      },
    });
    assert.equal(spec?.strategy, undefined, "leader election fences");
  });

  it("lets each admit its own namespaces, and the first alone what is in none", () => {
    const webhooks = (components: readonly Component[], namespace: string) => {
      const name = `capi-validating-webhook-configuration-${namespace}`;
      return find(components, "ValidatingWebhookConfiguration", name).webhooks;
    };
    const rule = { apiGroups: ["cluster.x-k8s.io"], resources: ["clusters"] };
    const key = "kubernetes.io/metadata.name";
    assert.deepEqual(webhooks(two, "capi2-system"), [
      {
        name: "validation.cluster",
        namespaceSelector: {
          matchLabels: { keep: "me" },
          matchExpressions: [{ key, operator: "NotIn", values: rosa }],
        },
        rules: [{ ...rule, scope: "Namespaced" }],
      },
    ]);
    assert.partialDeepStrictEqual(webhooks(one, "capi1-system"), [
      {
        namespaceSelector: { matchExpressions: [{ key, operator: "In", values: rosa }] },
        rules: [rule],
      },
      { name: "validation.extensionconfig" },
    ]);
  });
});

describe("the layout of an instance", () => {
  it("without any namespace yet has no pods", () => {
    const scope = { type: "namespaces", namespaces: [] } as const;
    const idle = instanceComponents(componentsIn("capi2-system"), { ...second, scope }, capi2);
    assert.equal(find(idle, "Deployment", "capi-controller-manager").spec?.replicas, 0);
  });

  it("without leader election never has pods of two scopes at once", () => {
    const text = JSON.stringify(componentsIn("capi2-system")).replace("--leader-elect", "--w");
    const laid = instanceComponents(JSON.parse(text), second, capi2);
    const { spec } = find(laid, "Deployment", "capi-controller-manager");
    assert.deepEqual(spec?.strategy, { type: "Recreate" });
  });

  it("with rights in its namespaces alone is bound there, and to what is in no namespace", () => {
    const finer: InstanceLayout = { ...first, rbac: "Namespaced", accounts: [] };
    const laid = instanceComponents(componentsIn("capi1-system"), finer, capi1);
    assert.deepEqual(find(laid, "ClusterRoleBinding", "capi-manager-rolebinding").subjects, []);
    const name = "capi-manager-rolebinding:capi1-system";
    const bindings = laid.filter(({ kind }) => kind === "RoleBinding");
    assert.deepEqual(
      bindings.map(({ metadata }) => [metadata.namespace, metadata.name]),
      [
        ["rosa-a", name],
        ["rosa-b", name],
      ],
    );
    assert.partialDeepStrictEqual(bindings[0], {
      roleRef: { kind: "ClusterRole", name: "capi-aggregated-manager-role" },
      subjects: [{ name: "capi-manager", namespace: "capi1-system" }],
    });
    const verbs = ["get", "list"];
    assert.deepEqual(find(laid, "ClusterRole", name).rules, [
      { apiGroups: [""], resources: ["namespaces"], verbs },
      { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs },
    ]);
    assert.partialDeepStrictEqual(find(laid, "ClusterRoleBinding", name), {
      roleRef: { kind: "ClusterRole", name },
    });
  });

  it("with rights in its namespaces alone reads Secrets where all look for credentials", () => {
    const credentials = "capi9-system";
    const finer: InstanceLayout = { ...first, rbac: "Namespaced", accounts: [], credentials };
    const laid = instanceComponents(componentsIn("capi1-system"), finer, capi1);
    const own = laid.filter(({ metadata }) => metadata.namespace === credentials);
    const name = "credentials:capi1-system";
    assert.partialDeepStrictEqual(own, [
      { kind: "Role", metadata: { name }, rules: [{ resources: ["secrets"] }] },
      {
        kind: "RoleBinding",
        metadata: { name },
        roleRef: { kind: "Role", name },
        subjects: [{ name: "capi-manager", namespace: "capi1-system" }],
      },
    ]);
    const atHome = { ...finer, credentials: "capi1-system" };
    const without = instanceComponents(componentsIn("capi1-system"), atHome, capi1);
    assert.equal(without.length, laid.length - own.length);
  });

  it("behind a proxy leaves its manager as it is, but for flags that it needs then", () => {
    const flags = { "skip-crd-migration-phases": "StorageVersionMigration,CleanupManagedFields" };
    const proxied: InstanceLayout = { ...second, by: "proxy" };
    const laid = instanceComponents(componentsIn("capi2-system"), proxied, { ...capi2, flags });
    const [manager] = containersOf(laid);
    assert.deepEqual(manager?.args, [
      ...["--leader-elect", "--v=2"],
      "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields",
    ]);
  });
});
