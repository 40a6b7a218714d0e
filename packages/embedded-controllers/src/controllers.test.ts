import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterRole, ConfigMap, NamespaceStatus, Secret } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { appears, find, gone, namespaceOf, startScene } from "../test/scene.ts";

test("a namespace gets its account and the authority, again where they are deleted", async () => {
  await using scene = await startScene();
  await scene.create(namespaceOf("ns"), builtInResources.namespaces);
  const account = { namespace: "ns", name: "default" };
  const ca = { namespace: "ns", name: "kube-root-ca.crt" };
  const first = await appears(scene, builtInResources.serviceAccounts, account);
  const map = (await appears(scene, builtInResources.configMaps, ca)) as ConfigMap;
  assert.deepEqual(map.data, { "ca.crt": "ROOT" });
  await scene.client.resource(builtInResources.serviceAccounts).delete(account);
  const isNew = async () =>
    (await find(scene, builtInResources.serviceAccounts, account))?.metadata.uid !==
    first.metadata.uid;
  await waitFor(isNew, { what: "a new account" });
  const patch = { data: { "ca.crt": "FORGED", more: "x" } };
  await scene.client.resource(builtInResources.configMaps).patch(ca, { type: "merge", patch });
  const isMended = async () =>
    Object.keys(((await find(scene, builtInResources.configMaps, ca)) as ConfigMap).data ?? {})
      .length === 1;
  await waitFor(isMended, { what: "the authority to be mended" });
});

test("a namespace goes with all that is in it, custom kinds too", async () => {
  await using scene = await startScene();
  const nests = {
    group: "example.com",
    version: "v1",
    kind: "Nest",
    plural: "nests",
    singular: "nest",
    namespaced: true,
  };
  await scene.serve(nests);
  await scene.create(namespaceOf("ns"), builtInResources.namespaces);
  const metadata = { name: "n", namespace: "ns" };
  await scene.create({ apiVersion: "example.com/v1", kind: "Nest", metadata }, nests);
  await appears(scene, builtInResources.serviceAccounts, { namespace: "ns", name: "default" });
  await scene.client.resource(builtInResources.namespaces).delete({ name: "ns" });
  await gone(scene, builtInResources.namespaces, { name: "ns" });
  assert.equal(scene.store.list("nests.example.com").entries.length, 0);
  assert.equal(scene.store.list("serviceaccounts").entries.length, 0);
});

test("a namespace says what keeps it, and goes when that is gone", async () => {
  await using scene = await startScene();
  await scene.create(namespaceOf("ns"), builtInResources.namespaces);
  const metadata = { name: "held", namespace: "ns", finalizers: ["example.com/hold"] };
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata };
  await scene.create(map, builtInResources.configMaps);
  await scene.client.resource(builtInResources.namespaces).delete({ name: "ns" });
  const remaining = await waitFor(
    async () => {
      const namespace = await find(scene, builtInResources.namespaces, { name: "ns" });
      const { conditions = [] } = (namespace?.status ?? {}) as NamespaceStatus;
      const isSettled = conditions.some(({ message = "" }) =>
        message.includes("configmaps. has 1 "),
      );
      return isSettled && !conditions.some(({ message = "" }) => message.includes("service"))
        ? conditions.map(({ type, status, reason, message }) => [type, status, reason, message])
        : undefined;
    },
    { what: "the conditions" },
  );
  assert.deepEqual(remaining, [
    [
      "NamespaceDeletionDiscoveryFailure",
      "False",
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ],
    [
      "NamespaceDeletionContentFailure",
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ],
    [
      "NamespaceContentRemaining",
      "True",
      "SomeResourcesRemain",
      "Some resources are remaining: configmaps. has 1 resource instances",
    ],
    [
      "NamespaceFinalizersRemaining",
      "True",
      "SomeFinalizersRemain",
      "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    ],
  ]);
  const patch = { metadata: { finalizers: null } };
  const key = { namespace: "ns", name: "held" };
  await scene.client.resource(builtInResources.configMaps).patch(key, { type: "merge", patch });
  await gone(scene, builtInResources.namespaces, { name: "ns" });
});

test("a Secret for a token is filled, and goes with its account", async () => {
  await using scene = await startScene();
  await scene.create(namespaceOf("ns"), builtInResources.namespaces);
  const account = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "robot", namespace: "ns" },
  };
  await scene.create(account, builtInResources.serviceAccounts);
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    type: "kubernetes.io/service-account-token",
    metadata: { name: "token", namespace: "ns", annotations },
  };
  await scene.create(secret, builtInResources.secrets);
  const key = { namespace: "ns", name: "token" };
  const data = await waitFor(
    async () => ((await find(scene, builtInResources.secrets, key)) as Secret).data ?? false,
    { what: "the token" },
  );
  const text = (name: string) => Buffer.from(data[name] ?? "", "base64").toString();
  assert.deepEqual([text("ca.crt"), text("namespace")], ["ROOT", "ns"]);
  const { signal } = new AbortController();
  const { user } = await scene.tokens.review({ token: text("token") }, signal);
  assert.equal(user?.username, "system:serviceaccount:ns:robot");
  await scene.client
    .resource(builtInResources.serviceAccounts)
    .delete({ namespace: "ns", name: "robot" });
  await gone(scene, builtInResources.secrets, key);
});

test("a ClusterRole gathers the rules of those that it selects, as they come and go", async () => {
  await using scene = await startScene();
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const roleOf = (name: string, more: object, labels = {}): KubeObject => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: { name, labels },
    ...more,
  });
  const rule = (resource: string) => ({ apiGroups: [""], resources: [resource], verbs: ["get"] });
  const selector = { matchLabels: { gather: "true" } };
  const aggregationRule = { clusterRoleSelectors: [selector] };
  await scene.create(roleOf("all", { aggregationRule }), builtInResources.clusterRoles);
  const gathers = (...names: readonly string[]) =>
    waitFor(
      async () => {
        const role = (await find(scene, builtInResources.clusterRoles, {
          name: "all",
        })) as ClusterRole;
        const found = (role.rules ?? []).map((each) => each.resources?.[0] ?? "");
        return found.join() === names.join();
      },
      { what: `the rules of ${names}` },
    );
  const labels = { gather: "true" };
  await scene.create(roleOf("b", { rules: [rule("pods")] }, labels), builtInResources.clusterRoles);
  await gathers("pods");
  const both = { rules: [rule("secrets"), rule("pods")] };
  await scene.create(roleOf("a", both, labels), builtInResources.clusterRoles);
  await gathers("secrets", "pods");
  await scene.client.resource(builtInResources.clusterRoles).delete({ name: "a" });
  await gathers("pods");
});
