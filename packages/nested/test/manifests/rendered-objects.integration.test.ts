import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, getOptional, loadConfig } from "@rookery/client";
import {
  applyStrategicMergePatch,
  builtInResources,
  isConflict,
  type KubeObject,
  objectKeyOf,
  patchSchemaOf,
  type Resource,
} from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";
import { apiServerManifests, apiServerService } from "../../src/api-server/manifests.ts";
import { applyObjects } from "../../src/component/apply-objects.ts";
import type { ComponentObject } from "../../src/component-object.ts";
import { controllerManagerManifests } from "../../src/controller-manager/manifests.ts";
import { etcdManifests } from "../../src/etcd/manifests.ts";
import type { Deployment } from "../../src/manifests/kinds.ts";
import {
  configMaps,
  deployments,
  podDisruptionBudgets,
  pods,
  services,
  statefulSets,
} from "../../src/resources.ts";

const cluster = "blue";
const service = { type: "NodePort", port: 443 } as const;

function rendered(namespace: string): KubeObject[] {
  const place = { cluster, namespace };
  const resources = { requests: { cpu: "0.5", memory: "1024Mi" } };
  const revision = { version: "v1.34.4", resources, serviceCidr: "10.96.0.0/12" };
  const common = {
    ...place,
    revision,
    image: "example.com/program:v1",
    replicas: 0,
    inputs: "a",
  };
  return [
    ...etcdManifests({
      ...common,
      partition: 0,
      storage: { size: "1024Mi" },
      membership: { "initial-cluster": "a=b", "initial-cluster-state": "new", volumes: "{}" },
    }),
    apiServerService({ ...place, service }),
    ...apiServerManifests({ ...common, service, etcdServers: ["https://etcd:2379"] }),
    ...controllerManagerManifests({ ...common, serviceCidr: "10.96.0.0/12" }),
  ];
}

describe("the objects of components on a real API server", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let client: Client;
  let owner: ComponentObject;
  let applied = 0;

  const read = async <O extends KubeObject>(resource: Resource, key: object) => {
    return getOptional(client.resource<O>(resource), key as { name: string });
  };
  const writer = {
    find: read,
    read,
    apply: (resource: Resource, object: KubeObject) => {
      applied++;
      const options = { fieldManager: "test", force: true, fieldValidation: "Strict" } as const;
      return client.resource(resource).apply(object, options);
    },
  };

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("nested-objects");
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    // The garbage collector wants an owner that there is.
    const metadata = { name: "owner", namespace: namespace.name };
    const stored = { apiVersion: "v1", kind: "ConfigMap", metadata };
    owner = (await client.resource(configMaps).create(stored)) as unknown as ComponentObject;
  });
  after(async () => {
    await client.destroy();
    await namespace[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  it("are taken as they are rendered, and then there is nothing to write", async () => {
    const objects = rendered(namespace.name);
    await applyObjects(owner, objects, writer);
    assert.equal(applied, objects.length);
    await applyObjects(owner, objects, writer);
    assert.equal(applied, objects.length);
  });

  it("are written again when somebody has changed one of them", async () => {
    const objects = rendered(namespace.name);
    await applyObjects(owner, objects, writer);
    const key = { namespace: namespace.name, name: "blue-apiserver" };
    const patch = { spec: { template: { spec: { hostNetwork: true, enableServiceLinks: true } } } };
    await client.resource(deployments).patch(key, { type: "strategic", patch });
    const before = applied;
    await applyObjects(owner, objects, writer);
    assert.equal(applied, before + 1);
    const healed = await client.resource<Deployment>(deployments).get(key);
    assert.equal(healed.spec?.template.spec.enableServiceLinks, false);
  });

  it("have pods that a namespace takes which enforces the restricted standard", async () => {
    const strict = await kubernetes.createNamespace("nested-restricted");
    await using _ = strict;
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await client
      .resource(builtInResources.namespaces)
      .patch({ name: strict.name }, { type: "merge", patch: { metadata: { labels } } });
    const templates = rendered(strict.name).filter(({ kind }) =>
      ["Deployment", "StatefulSet"].includes(kind),
    );
    assert.equal(templates.length, 3);
    for (const { metadata, spec } of templates as Deployment[]) {
      const { template } = spec ?? {};
      const volumes = [...(template?.spec.volumes ?? []), { name: "data", emptyDir: {} }];
      const own = { name: metadata.name ?? "", namespace: strict.name };
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: own,
        spec: { ...template?.spec, volumes },
      };
      await client
        .resource<KubeObject>(pods)
        .create(pod, { dryRun: true, fieldValidation: "Strict" });
    }
  });

  describe("are patched as the API server patches them", () => {
    const container = (change: object) => ({
      spec: { template: { spec: { containers: [{ name: "apiserver", ...change }] } } },
    });
    const pod = (change: object) => ({ spec: { template: { spec: change } } });
    const rows: Record<string, [resource: Resource, patch: object]> = {
      "an image": [deployments, container({ image: "example.com/other:v2" })],
      "a variable": [deployments, container({ env: [{ name: "GOGC", value: "50" }] })],
      "a variable that goes": [
        deployments,
        container({ env: [{ name: "POD_NAME", $patch: "delete" }] }),
      ],
      "all variables": [
        deployments,
        container({ env: [{ $patch: "replace" }, { name: "A", value: "1" }] }),
      ],
      "a port by its number": [
        deployments,
        container({ ports: [{ containerPort: 6443, name: "api" }] }),
      ],
      "a mount by its path": [
        deployments,
        container({
          volumeMounts: [{ mountPath: "/etc/kubernetes/pki/sa", name: "sa", readOnly: false }],
        }),
      ],
      "arguments as a whole": [deployments, container({ args: ["--v=4"] })],
      "a container beside it": [
        deployments,
        pod({ containers: [{ name: "sidecar", image: "example.com/sidecar:v1" }] }),
      ],
      "a volume of another source": [
        deployments,
        pod({ volumes: [{ name: "sa", $retainKeys: ["name", "emptyDir"], emptyDir: {} }] }),
      ],
      "tolerations as a whole": [
        deployments,
        pod({ tolerations: [{ key: "a", operator: "Exists" }] }),
      ],
      "a constraint by its key": [
        deployments,
        pod({ topologySpreadConstraints: [{ topologyKey: "kubernetes.io/hostname", maxSkew: 2 }] }),
      ],
      "pull secrets and aliases": [
        deployments,
        pod({
          imagePullSecrets: [{ name: "pull" }],
          hostAliases: [{ ip: "10.0.0.1", hostnames: ["a"] }],
        }),
      ],
      "the strategy": [
        deployments,
        { spec: { strategy: { $retainKeys: ["type"], type: "Recreate", rollingUpdate: null } } },
      ],
      "labels, annotations and finalizers": [
        statefulSets,
        {
          metadata: {
            labels: { a: "1" },
            annotations: { b: "2" },
            finalizers: ["example.com/keep"],
          },
        },
      ],
      "the order of containers": [
        statefulSets,
        pod({
          "$setElementOrder/containers": [{ name: "first" }, { name: "etcd" }],
          containers: [{ name: "first", image: "example.com/first:v1" }],
        }),
      ],
      // Of those that no Service is given by chance.
      "a port of a Service": [services, { spec: { ports: [{ port: 443, nodePort: 30_043 }] } }],
      "a port of a Service that goes": [
        services,
        { spec: { ports: [{ port: 6443, $patch: "delete" }] } },
      ],
      "a budget": [podDisruptionBudgets, { spec: { maxUnavailable: null, minAvailable: 1 } }],
    };
    for (const [name, [resource, patch]] of Object.entries(rows)) {
      it(name, async () => {
        await applyObjects(owner, rendered(namespace.name), writer);
        const component = resource === statefulSets ? "etcd" : "apiserver";
        const key = { namespace: namespace.name, name: `${cluster}-${component}` };
        const dryRun = { dryRun: true };
        const compare = async () => {
          const live = await client.resource(resource).get(key);
          const theirs = await client
            .resource(resource)
            .patch(key, { type: "strategic", patch }, dryRun);
          const merged = applyStrategicMergePatch(live, patch, patchSchemaOf(resource.kind));
          const ours = await client
            .resource(resource)
            .update(merged as unknown as KubeObject, dryRun);
          return { live, theirs, ours };
        };
        // Controllers write into what was applied just before.
        const { live, theirs, ours } = await waitFor(compare, {
          what: "an update that nobody else came before",
          fatal: (error) => !isConflict(error),
        });
        assert.deepEqual(essence(ours), essence(theirs));
        assert.notDeepEqual(essence(theirs), essence(live), "the patch changes nothing");
      });
    }
  });
});

function essence({ metadata, spec }: KubeObject): object {
  const { labels, annotations, finalizers } = metadata;
  return { key: objectKeyOf({ metadata }), labels, annotations, finalizers, spec };
}
