import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ProviderKind } from "@rookery/components";
import { getCondition, type KubeObject } from "@rookery/kube";
import { type Fate, waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster, type ProviderKey } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const kubeadm = { namespace: "kubeadm-system", name: "kubeadm" };
const clusterType = { group: "cluster.x-k8s.io", kind: "Cluster" };
const crdType = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** The kind that all workload clusters are of, as far as it matters here. */
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

describe("deleting providers", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  let fate: Fate = "runs";

  before(async () => {
    cluster = await OperatorCluster.start({ fateOf: () => fate });
    ({ admin } = cluster);
    const version = "v1.0.0";
    const components = smallProvider({ name: "core", more: clusters });
    await admin.install("CoreProvider", core, { name: core.name, version, components });
    for (const [kind, key] of [
      ["InfrastructureProvider", aws],
      ["BootstrapProvider", kubeadm],
    ] as const) {
      const { name } = key;
      const components = smallProvider({ name, certified: kind === "InfrastructureProvider" });
      await admin.install(kind, key, { name, version, components });
    }
    await admin.makeNamespace("team");
  });
  after(() => cluster[Symbol.asyncDispose]());

  const make = async (object: KubeObject) => {
    const what = `${object.kind} to be discovered`;
    const resource = await waitFor(() => admin.client.kind<KubeObject>(object), { what });
    await resource.create(object);
  };
  /** Waits until the provider says why it is still there, and lets it look again at once. */
  const says = (
    kind: ProviderKind,
    key: ProviderKey,
    [reason, message]: readonly [string, RegExp],
  ) => {
    let last = "";
    return waitFor(
      async () => {
        await look(kind, key);
        const { status } = await admin.get(kind, key);
        const deleting = getCondition(status?.conditions, "Deleting");
        last = JSON.stringify(deleting);
        return deleting?.reason === reason && message.test(deleting.message);
      },
      { what: `${kind} ${key.name} to be ${reason}`, detail: () => last, interval: 200 },
    );
  };
  /** It may look by itself just then, and have done the rest. */
  const look = (kind: ProviderKind, { namespace, name }: ProviderKey) =>
    cluster.kubernetes
      .kubectl([
        ...["annotate", `${kind.toLowerCase()}s.management.cluster.x-k8s.io`],
        ...[name, "-n", namespace, "--overwrite", `looked-at=${performance.now()}`],
      ])
      .catch((error: unknown) => {
        if (!/NotFound/.test(String(error))) throw error;
      });

  it("is blocked while workload clusters use one: the first few are named, and it goes on running", async () => {
    for (let index = 0; index < 7; index++) {
      const infrastructureRef = { apiGroup: "aws.example.com", kind: "Nest", name: "x" };
      const metadata = { namespace: "team", name: `prod-${index}` };
      await make({
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata,
        spec: { infrastructureRef },
      });
    }
    await admin.remove("InfrastructureProvider", aws);
    const message = /7 still use it: Cluster team\/prod-0, .*prod-4 and 2 more; delete them first/;
    await says("InfrastructureProvider", aws, ["InUse", message]);
    const manager = { namespace: aws.namespace, name: "aws-manager" };
    const found = await admin.find<KubeObject<object, { availableReplicas?: number }>>(
      { group: "apps", kind: "Deployment" },
      manager,
    );
    assert.equal(found?.metadata.deletionTimestamp, undefined);
    assert.equal(found?.status?.availableReplicas, 1);
  });

  it("is blocked, and meanwhile it is looked after: drift, certificates and conditions", async () => {
    const deployment = { group: "apps", kind: "Deployment" };
    const manager = { namespace: aws.namespace, name: "aws-manager" };
    await (await admin.client.kind(deployment)).delete(manager);
    await waitFor(
      async () => {
        const found = await admin.find<KubeObject<object, { availableReplicas?: number }>>(
          deployment,
          manager,
        );
        return found?.status?.availableReplicas === 1;
      },
      { what: "the Deployment to be restored" },
    );
    const certificate = { namespace: aws.namespace, name: "aws-webhook-cert" };
    const secrets = await admin.client.kind({ group: "", kind: "Secret" });
    await secrets.delete(certificate);
    await waitFor(() => admin.find({ group: "", kind: "Secret" }, certificate), {
      what: "the certificate to be issued again",
    });
    const isAvailable = async () => {
      const { status } = await admin.get("InfrastructureProvider", aws);
      return getCondition(status?.conditions, "ProviderAvailable")?.status === "True";
    };
    await waitFor(isAvailable, { what: "the condition to be true again" });
    const { status } = await admin.get("InfrastructureProvider", aws);
    assert.equal(getCondition(status?.conditions, "Ready")?.reason, "InUse");
    assert.equal(status?.installedVersion, "v1.0.0");
  });

  it("says that pods fail of one that waits to be deleted", async () => {
    fate = "crashes";
    await (await admin.client.kind({ group: "", kind: "Pod" })).deleteCollection({
      namespace: aws.namespace,
    });
    await admin.conditionIs("InfrastructureProvider", aws, ["ProviderAvailable", "PodsFailing"]);
    fate = "runs";
    await (await admin.client.kind({ group: "", kind: "Pod" })).deleteCollection({
      namespace: aws.namespace,
    });
    await admin.conditionIs("InfrastructureProvider", aws, ["ProviderAvailable", "Available"]);
  });

  it("is blocked of a core also where a second one was made that cannot be installed", async () => {
    const second = { namespace: "second-system", name: "second" };
    await admin.makeNamespace(second.namespace);
    await admin.create("CoreProvider", second, { version: "v9.9.9" });
    await admin.conditionIs("CoreProvider", second, ["PreflightCheckPassed", "SecondInstance"]);
    await admin.remove("CoreProvider", core);
    const message = /9 still use it: .*BootstrapProvider kubeadm-system\/kubeadm/;
    await says("CoreProvider", core, ["InUse", message]);
    await admin.remove("CoreProvider", second);
    await admin.isGone("CoreProvider", second);
  });

  it("is blocked of a core while there are other providers, and any cluster", async () => {
    const message = /9 still use it: .*BootstrapProvider kubeadm-system\/kubeadm/;
    await says("CoreProvider", core, ["InUse", message]);
  });

  it("goes on when the last cluster is gone, and keeps CRDs", async () => {
    await (await admin.client.kind(clusterType)).deleteCollection({ namespace: "team" });
    await look("InfrastructureProvider", aws);
    await admin.isGone("InfrastructureProvider", aws);
    assert.ok(await admin.find(crdType, { name: "nests.aws.example.com" }));
    assert.ok(await admin.find({ group: "", kind: "Namespace" }, { name: aws.namespace }));
  });

  it("says what a CRD waits for that was to go, too", async () => {
    const nest = { apiVersion: "kubeadm.example.com/v1", kind: "Nest" };
    const metadata = { namespace: "team", name: "stuck", finalizers: ["example.com/never"] };
    await make({ ...nest, metadata });
    await admin.change("BootstrapProvider", kubeadm, {
      deletionPolicy: { customResourceDefinitions: "Delete", namespace: "Delete" },
    });
    await admin.remove("BootstrapProvider", kubeadm);
    const message =
      /nests\.kubeadm\.example\.com: .*objects of this kind are still there; those that have finalizers/;
    await says("BootstrapProvider", kubeadm, ["WaitingForFinalizers", message]);
    const nests = await admin.client.kind(nest);
    await nests.patch(
      { namespace: "team", name: "stuck" },
      { type: "merge", patch: { metadata: { finalizers: [] } } },
    );
    await admin.isGone("BootstrapProvider", kubeadm);
    assert.equal(await admin.find(crdType, { name: "nests.kubeadm.example.com" }), undefined);
    const namespace = await admin.find(
      { group: "", kind: "Namespace" },
      { name: kubeadm.namespace },
    );
    assert.ok(namespace === undefined || namespace.metadata.deletionTimestamp !== undefined);
  });

  it("lets the core go last", async () => {
    await admin.isGone("CoreProvider", core);
  });
});
