import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "RuntimeExtensionProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const hooks = { namespace: "team-hooks", name: "hooks" };
const second = { namespace: "second-hooks", name: "hooks" };

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: extensionconfigs.runtime.cluster.x-k8s.io}
spec:
  group: runtime.cluster.x-k8s.io
  scope: Cluster
  names: {kind: ExtensionConfig, plural: extensionconfigs, singular: extensionconfig, listKind: ExtensionConfigList}
  versions:
  - name: v1beta2
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
const extension = `
apiVersion: runtime.cluster.x-k8s.io/v1beta2
kind: ExtensionConfig
metadata:
  name: hooks
  annotations: {runtime.cluster.x-k8s.io/inject-ca-from-secret: hooks-system/hooks-cert}
spec: {clientConfig: {service: {name: hooks-webhook, namespace: hooks-system}}}
`;
const quota = `
apiVersion: v1
kind: ResourceQuota
metadata: {name: hooks, namespace: hooks-system}
spec: {hard: {pods: "9"}}
`;
const release = (more: string, image = "example.com/manager:v1") =>
  smallProvider({ name: "hooks", certified: true, image, more });

type ExtensionConfig = KubeObject<{ clientConfig: { service: { namespace: string } } }>;
const configs = { group: "runtime.cluster.x-k8s.io", kind: "ExtensionConfig" };
const quotas = { group: "", kind: "ResourceQuota" };
const roles = { group: "rbac.authorization.k8s.io", kind: "ClusterRole" };
const roleName = "rookery-operator:team-hooks:runtime-extension-hooks";

describe("components of kinds that others define", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;
  let installed: ExtensionConfig | undefined;

  before(async () => {
    cluster = await OperatorCluster.start({ image: "example.com/rookery:v1" });
    ({ admin } = cluster);
    const components = smallProvider({ name: "core", more: definition });
    await admin.install("CoreProvider", core, { name: core.name, version: "v1.0.0", components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  it("wait until somebody serves the kind, and say so", async () => {
    await admin.makeNamespace(hooks.namespace);
    const queue = "apiVersion: batch.example/v1\nkind: Queue\nmetadata: {name: q}\n";
    const components = release(queue);
    await admin.offer(hooks.namespace, { name: hooks.name, version: "v1.0.0", components });
    await admin.create(kind, hooks, { version: "v1.0.0" });
    const { status } = await admin.conditionIs(kind, hooks, ["ProviderFetched", "UnsupportedKind"]);
    assert.match(
      getCondition(status?.conditions, "Ready")?.message ?? "",
      /Queue q \(batch\.example\/v1\) is of a kind that nobody serves: install the provider/,
    );
  });

  it("are refused where the API server keeps no objects of the kind", async () => {
    const review = "apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nmetadata: {name: t}\n";
    const components = release(review);
    await admin.offer(hooks.namespace, { name: hooks.name, version: "v1.1.0", components });
    await admin.change(kind, hooks, { version: "v1.1.0" });
    const { status } = await admin.conditionIs(kind, hooks, ["ProviderFetched", "UnsupportedKind"]);
    assert.match(
      getCondition(status?.conditions, "Ready")?.message ?? "",
      /objects of kind TokenReview \(authentication\.k8s\.io\/v1\) cannot be installed and removed/,
    );
  });

  it("are installed in the provider's namespace, with what they refer to", async () => {
    const components = release(`${extension}---${quota}`);
    await admin.offer(hooks.namespace, { name: hooks.name, version: "v1.2.0", components });
    await admin.change(kind, hooks, { version: "v1.2.0" });
    await admin.conditionIs(kind, hooks, ["Ready", "Ready"]);
    installed = await admin.find<ExtensionConfig>(configs, { name: "hooks" });
    assert.equal(installed?.spec?.clientConfig.service.namespace, hooks.namespace);
    assert.equal(
      installed?.metadata.annotations?.["runtime.cluster.x-k8s.io/inject-ca-from-secret"],
      "team-hooks/hooks-cert",
    );
    assert.ok(await admin.find(quotas, { namespace: hooks.namespace, name: "hooks" }));
  });

  it("stay over an upgrade while the new version has them, and go where it does not", async () => {
    const components = release(extension, "example.com/manager:v2");
    await admin.offer(hooks.namespace, { name: hooks.name, version: "v1.3.0", components });
    await admin.change(kind, hooks, { version: "v1.3.0" });
    await admin.conditionIs(kind, hooks, ["Ready", "Ready"]);
    const now = await admin.find<ExtensionConfig>(configs, { name: "hooks" });
    assert.equal(now?.metadata.uid, installed?.metadata.uid);
    const left = await admin.find(quotas, { namespace: hooks.namespace, name: "hooks" });
    assert.equal(left, undefined);
  });

  it("are apart in instances with API groups of their own", async () => {
    await admin.makeNamespace(second.namespace);
    const components = release(extension);
    await admin.offer(second.namespace, { name: second.name, version: "v1.3.0", components });
    const spec = { version: "v1.3.0", apiGroupSuffix: "team2.example.org" };
    await admin.create(kind, second, spec);
    await admin.conditionIs(kind, second, ["Ready", "Ready"]);
    const own = await admin.find<ExtensionConfig>(configs, { name: "hooks-team2-example-org" });
    assert.equal(own?.spec?.clientConfig.service.namespace, second.namespace);
    await admin.remove(kind, second);
    await admin.isGone(kind, second);
    assert.equal(await admin.find(configs, { name: "hooks-team2-example-org" }), undefined);
    assert.ok(await admin.find(configs, { name: "hooks" }));
  });

  it("go with the provider, which nobody else's object keeps", async () => {
    const apiVersion = "runtime.cluster.x-k8s.io/v1beta2";
    const byHand = {
      apiVersion,
      kind: "ExtensionConfig",
      metadata: { name: "by-hand" },
      spec: { clientConfig: { service: { name: "hooks-webhook", namespace: hooks.namespace } } },
    };
    const client = await admin.client.kind<KubeObject>({ apiVersion, kind: "ExtensionConfig" });
    await client.create(byHand);
    await admin.remove(kind, hooks);
    const { status } = await admin.conditionIs(kind, hooks, ["Deleting", "InUse"]);
    const message = getCondition(status?.conditions, "Deleting")?.message ?? "";
    assert.match(message, /1 still use it: ExtensionConfig by-hand;/);
    await client.delete({ name: "by-hand" });
    await admin.isGone(kind, hooks);
    assert.equal(await admin.find(configs, { name: "hooks" }), undefined);
    await waitFor(async () => (await admin.find(roles, { name: roleName })) === undefined, {
      what: "the operator's rights on the kinds to be gone",
    });
  });
});
