import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { builtInResources, getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const roles = { group: "rbac.authorization.k8s.io", kind: "ClusterRole" };

const role = (name: string) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "${name}"}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
`;

describe("spec.additionalManifests of a provider", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const version = "v1.0.0";
    const forCore = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    const components = smallProvider({ name: "aws" });
    await admin.install(kind, aws, { name: aws.name, version, components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const write = (name: string, data: Readonly<Record<string, string>>) =>
    admin.client
      .resource<KubeObject & { data: typeof data }>(builtInResources.configMaps)
      .apply(
        { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: aws.namespace, name }, data },
        { fieldManager: "admin", force: true },
      );

  it("are waited for while their ConfigMap is not there", async () => {
    await admin.change(kind, aws, { additionalManifests: { name: "more" } });
    const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", "ManifestsNotFound"]);
    const { message = "" } = getCondition(status?.conditions, "Ready") ?? {};
    assert.match(message, /from ConfigMap "more" in namespace capa-system: it is not there/);
  });

  it("become components when it is, and goes on by itself", async () => {
    await write("more", { manifests: role("more-$" + "{NAME:=reader}") });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    const found = await admin.find(roles, { name: "more-reader" });
    const { labels } = found?.metadata ?? {};
    assert.equal(labels?.["cluster.x-k8s.io/provider"], "infrastructure-aws");
  });

  it("are read again with the next change, and go where they are no longer named", async () => {
    await write("more", { manifests: role("other") });
    await admin.change(kind, aws, { deployment: { replicas: 2 } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.ok(await admin.find(roles, { name: "other" }));
    assert.equal(await admin.find(roles, { name: "more-reader" }), undefined);
    await admin.change(kind, aws, { additionalManifests: null });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(await admin.find(roles, { name: "other" }), undefined);
  });

  it("that are wrong change nothing, and a condition says where", async () => {
    await write("wrong", { manifests: "kind: [" });
    await admin.change(kind, aws, { additionalManifests: { name: "wrong" } });
    const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", "InvalidComponents"]);
    const { message = "" } = getCondition(status?.conditions, "Ready") ?? {};
    assert.match(message, /could not use spec\.additionalManifests: could not read document 1/);
    assert.equal(getCondition(status?.conditions, "ProviderAvailable")?.status, "True");
  });
});
