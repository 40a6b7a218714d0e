import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { builtInResources, getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const version = "v1.0.0";

type Deployment = KubeObject<{
  readonly template: { readonly spec: { readonly containers: readonly { image: string }[] } };
}>;

describe("a version that is published anew", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const forCore = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    const components = smallProvider({ name: "aws" });
    await admin.install(kind, aws, { name: aws.name, version, components });
    const mended = smallProvider({ name: "aws", image: "example.com/manager:mended" });
    await admin.offer(aws.namespace, { name: aws.name, version, components: mended });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const image = async () => {
    const key = { namespace: aws.namespace, name: "aws-manager" };
    const found = await admin.find<Deployment>({ group: "apps", kind: "Deployment" }, key);
    return found?.spec?.template.spec.containers[0]?.image;
  };

  it("is not fetched for another change", async () => {
    await admin.change(kind, aws, { deployment: { replicas: 2 } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(await image(), "example.com/manager:v1");
  });

  it("is fetched for another fetchRevision", async () => {
    await admin.change(kind, aws, { fetchRevision: "2" });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(await image(), "example.com/manager:mended");
  });

  it("is in the record from then on, also where the source is gone", async () => {
    const configMaps = admin.client.resource(builtInResources.configMaps);
    await configMaps.delete({ namespace: aws.namespace, name: `aws-${version}` });
    await admin.change(kind, aws, { deployment: { replicas: 1 } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    await admin.change(kind, aws, { fetchRevision: "3" });
    const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", "VersionNotFound"]);
    assert.equal(getCondition(status?.conditions, "ProviderAvailable")?.status, "True");
    await admin.change(kind, aws, { fetchRevision: null });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(await image(), "example.com/manager:mended");
  });
});
