import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace } from "@rookery/testing";
import {
  type Shipped,
  shippedInstallations,
  type Workload,
  workloadsOf,
} from "./shipped-manifests.ts";

const resource = (group: string, kind: string, plural: string): Resource => ({
  group,
  kind,
  plural,
  version: "v1",
  singular: kind.toLowerCase(),
  namespaced: true,
});
const pods = resource("", "Pod", "pods");
const accounts = resource("", "ServiceAccount", "serviceaccounts");
const policies = resource("networking.k8s.io", "NetworkPolicy", "networkpolicies");

describe("a namespace that enforces the restricted standard", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let namespace: TestNamespace;

  before(async () => {
    kubernetes = await startKubernetes();
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    namespace = await kubernetes.createNamespace("shipped");
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await client
      .resource(builtInResources.namespaces)
      .patch({ name: namespace.name }, { type: "merge", patch: { metadata: { labels } } });
  });
  after(async () => {
    await client.destroy();
    await namespace[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  const strictly = { dryRun: true, fieldValidation: "Strict" } as const;
  const moved = ({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject => ({
    ...rest,
    apiVersion,
    kind,
    metadata: { name: metadata.name ?? "", namespace: namespace.name },
  });
  const accountOf = (manifests: readonly Shipped[], { spec }: Workload) => {
    const { serviceAccountName: name } = spec.template.spec;
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } };
    assert.ok(manifests.some(({ kind }) => kind === "ServiceAccount"));
    return client.resource<KubeObject>(accounts).apply(moved(account), { fieldManager: "test" });
  };
  const podOf = ({ metadata, spec }: Workload, change: object = {}) => ({
    ...moved({ apiVersion: "v1", kind: "Pod", metadata }),
    spec: { ...spec.template.spec, ...change },
  });

  for (const [file, manifests] of shippedInstallations()) {
    it(`takes the pods and network policies of ${file}`, async () => {
      for (const workload of workloadsOf(manifests)) {
        await accountOf(manifests, workload);
        const pod = await client.resource<KubeObject>(pods).create(podOf(workload), strictly);
        const mounted = /kube-api-access-/.test(JSON.stringify(pod));
        assert.ok(mounted, "the manager has its token although its account gives none");
      }
      const found = manifests.filter(({ kind }) => kind === "NetworkPolicy");
      assert.equal(found.length, 1);
      for (const policy of found) {
        await client.resource<KubeObject>(policies).create(moved(policy), strictly);
      }
    });
  }

  it("takes none of those pods with a privilege more", async () => {
    for (const manifests of shippedInstallations().values()) {
      for (const workload of workloadsOf(manifests)) {
        await accountOf(manifests, workload);
        const pod = podOf(workload, { hostPID: true });
        const creating = client.resource<KubeObject>(pods).create(pod, strictly);
        await assert.rejects(creating, /violates PodSecurity "restricted:latest": host namespaces/);
      }
    }
  });
});
