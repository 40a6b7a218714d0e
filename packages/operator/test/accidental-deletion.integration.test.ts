import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Provider } from "@rookery/api";
import { getCondition, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const version = "v1.0.0";
const resource = "infrastructureproviders.management.cluster.x-k8s.io/aws";
const crds = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
const nestType = { group: "aws.example.com", kind: "Nest" };

const clusters = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusters.cluster.x-k8s.io}
spec:
  group: cluster.x-k8s.io
  scope: Namespaced
  names: {kind: Cluster, plural: clusters, singular: cluster, listKind: ClusterList}
  versions:
  - name: v1beta2
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
const workload = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "team", name: "prod" },
  spec: { infrastructureRef: { apiGroup: "aws.example.com", kind: "Nest", name: "prod" } },
};
const nest = {
  apiVersion: "aws.example.com/v1",
  kind: "Nest",
  metadata: { namespace: "team", name: "prod" },
};

describe("the way back from kubectl delete of a provider", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;
  let saved: Provider;
  let uids: readonly (string | undefined)[];

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const forCore = smallProvider({ name: "core", more: clusters });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    const components = smallProvider({ name: "aws" });
    saved = await admin.install(kind, aws, { name: aws.name, version, components });
    await admin.makeNamespace("team");
    for (const object of [nest, workload]) {
      const what = `${object.kind} to be discovered`;
      const client = await waitFor(() => admin.client.kind<KubeObject>(object), { what });
      await client.create(object);
    }
    uids = await identities();
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** Of what users made, and of the definition that holds it. */
  const identities = async () => [
    (await admin.find(crds, { name: "nests.aws.example.com" }))?.metadata.uid,
    (await admin.find(nestType, nest.metadata))?.metadata.uid,
  ];
  const createAgain = () => admin.create(kind, aws, saved.spec ?? {});

  it("a provider in use stays, and what it runs, too", async () => {
    await admin.remove(kind, aws);
    const { status } = await admin.conditionIs(kind, aws, ["Deleting", "InUse"]);
    assert.match(
      getCondition(status?.conditions, "Deleting")?.message ?? "",
      /Cluster team\/prod.*to keep the provider, take its finalizers away and create it again$/,
    );
  });

  it("without its finalizers it goes alone, and comes back as it was", async () => {
    await cluster.kubernetes.kubectl([
      ...["patch", resource, "-n", aws.namespace, "--type=merge"],
      ...["-p", '{"metadata":{"finalizers":null}}'],
    ]);
    await admin.isGone(kind, aws);
    const manager = { namespace: aws.namespace, name: "aws-manager" };
    assert.ok(await admin.find({ group: "apps", kind: "Deployment" }, manager));
    await createAgain();
    const { status } = await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(status?.installedVersion, version);
    assert.deepEqual(await identities(), uids);
    await admin.change(kind, aws, { deployment: { replicas: 2 } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    await admin.change(kind, aws, { deployment: null });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
  });

  it("one that nobody used goes, but for what users made, which it finds when it is declared again", async () => {
    const clients = await admin.client.kind<KubeObject>(workload);
    await clients.delete(workload.metadata);
    await admin.remove(kind, aws);
    await admin.isGone(kind, aws);
    assert.deepEqual(await identities(), uids);
    await createAgain();
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.deepEqual(await identities(), uids);
  });
});
