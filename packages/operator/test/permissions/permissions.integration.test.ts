import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { applierRules, type Component, type PolicyRule } from "@rookery/components";
import { isForbidden, type KubeObject, type Resource } from "@rookery/kube";
import {
  type CustomResourceDefinition,
  type Kubernetes,
  startKubernetes,
  type TestNamespace,
} from "@rookery/testing";
import { operatorRules } from "../../src/install/rbac.ts";
import type { RoleOwner } from "../../src/permissions/own-kinds-role.ts";
import { grantOwnKinds, revokeOwnKinds } from "../../src/permissions/permissions.ts";

const group = "permissions.rookery.dev";
const { signal } = new AbortController();

function crd(plural: string): Component & CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: plural, plural },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

const resource = (plural: string): Resource => ({
  group,
  version: "v1",
  kind: plural,
  plural,
  singular: plural,
  namespaced: true,
});

/** A user who has a ClusterRole of some rules, and nothing else. */
async function userWith(
  kubernetes: Kubernetes,
  name: string,
  rules: readonly PolicyRule[],
): Promise<Client> {
  const apiGroup = "rbac.authorization.k8s.io";
  const metadata = { name };
  const apiVersion = `${apiGroup}/v1`;
  const role = { apiVersion, kind: "ClusterRole", metadata, rules };
  const roleRef = { apiGroup, kind: "ClusterRole", name };
  const subjects = [{ apiGroup, kind: "User", name }];
  const binding = { apiVersion, kind: "ClusterRoleBinding", metadata, roleRef, subjects };
  const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: [role, binding] });
  await kubernetes.kubectl(["apply", "-f", "-"], { stdin });
  const { kubeconfig } = await kubernetes.user({ name });
  return createClient(await loadConfig({ path: kubeconfig }));
}

describe("what the operator may do with the kinds of a provider", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let operator: Client;
  let owner: RoleOwner;
  const isThere = async (kind: string) => {
    const args = ["get", kind, `rookery-operator:${namespace.name}:infrastructure-eggs`];
    return kubernetes.kubectl(args).then(
      () => true,
      () => false,
    );
  };
  const list = (plural: string) => operator.resource<KubeObject>(resource(plural)).list();

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("permissions");
    operator = await userWith(kubernetes, "permissions-operator", operatorRules());
    const identity = { kind: "InfrastructureProvider", name: "eggs" } as const;
    owner = { namespace: namespace.name, identity };
    for (const plural of ["eggs", "nests"]) await kubernetes.applyCrd(crd(plural));
  });
  after(async () => {
    await operator.destroy();
    for (const name of ["permissions-operator", "permissions-locked"]) {
      await kubernetes.kubectl(["delete", "clusterrole,clusterrolebinding", name]);
    }
    for (const plural of ["eggs", "nests"]) {
      await kubernetes.kubectl(["delete", "crd", `${plural}.${group}`, "--wait=false"]);
    }
    await namespace[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  it("is nothing before it gives itself a role", async () => {
    await assert.rejects(list("eggs"), isForbidden);
  });

  it("is all that installing needs as soon as it has, and nothing with other kinds", async () => {
    await grantOwnKinds(owner, [crd("eggs")], { client: operator, signal });
    assert.deepEqual((await list("eggs")).items, []);
    const metadata = { namespace: namespace.name, name: "one" };
    const egg = { apiVersion: `${group}/v1`, kind: "eggs", metadata };
    await operator.resource<KubeObject>(resource("eggs")).apply(egg, { fieldManager: "x" });
    await operator.resource<KubeObject>(resource("eggs")).delete(metadata);
    await assert.rejects(list("nests"), isForbidden);
  });

  it("is written once", async () => {
    const role = `clusterrole/rookery-operator:${namespace.name}:infrastructure-eggs`;
    const version = () => kubernetes.kubectl(["get", role, "-o", "jsonpath={.metadata}"]);
    const written = await version();
    await grantOwnKinds(owner, [crd("eggs")], { client: operator, signal });
    assert.equal(await version(), written);
  });

  it("grows with a version that has more kinds", async () => {
    await grantOwnKinds(owner, [crd("nests")], { client: operator, signal });
    assert.deepEqual((await list("nests")).items, []);
    assert.deepEqual((await list("eggs")).items, []);
  });

  it("goes with the provider", async () => {
    await revokeOwnKinds(owner, { client: operator });
    await revokeOwnKinds(owner, { client: operator });
    assert.equal(await isThere("clusterrole"), false);
    assert.equal(await isThere("clusterrolebinding"), false);
  });

  it("is what it was given where it may not give itself anything", async () => {
    const { cluster } = applierRules([crd("eggs")]);
    await using locked = await userWith(kubernetes, "permissions-locked", cluster);
    await grantOwnKinds(owner, [crd("eggs")], { client: locked, signal });
    await revokeOwnKinds(owner, { client: locked });
    assert.equal(await isThere("clusterrole"), false);
  });

  it("needs no role where it may do everything", async () => {
    await using admin = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    await grantOwnKinds(owner, [crd("eggs")], { client: admin, signal });
    assert.equal(await isThere("clusterrole"), false);
  });
});
