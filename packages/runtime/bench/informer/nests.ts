import type { KubeObject, Resource } from "@rookery/kube";
import type { CustomResourceDefinition } from "@rookery/testing";

/** The time at which an update was sent, in milliseconds since 1970. */
export const sentAnnotation = "bench.rookery.dev/sent";

export const nests: Resource = {
  group: "bench.rookery.dev",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};

export const namespaces = Array.from({ length: 10 }, (_, index) => `bench-${index}`);

export const nestsCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${nests.plural}.${nests.group}` },
  spec: {
    group: nests.group,
    scope: "Namespaced",
    names: { plural: nests.plural, singular: nests.singular, kind: nests.kind },
    versions: [
      {
        name: nests.version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};

/** Like a Machine of Cluster API: about 2 KB as the server sends it, managed fields included. */
export function nest(index: number): KubeObject {
  const cluster = `cluster-${index % 500}`;
  const name = `${cluster}-md-0-${index}`;
  const number = String(index).padStart(12, "0");
  return {
    apiVersion: `${nests.group}/${nests.version}`,
    kind: nests.kind,
    metadata: {
      name,
      namespace: namespaces[index % namespaces.length] ?? "",
      labels: {
        "cluster.x-k8s.io/cluster-name": cluster,
        "cluster.x-k8s.io/deployment-name": `${cluster}-md-0`,
        "machine-template-hash": String((index * 7919) % 100_000),
      },
      annotations: {
        "cluster.x-k8s.io/cloned-from-name": `${cluster}-template`,
        "cluster.x-k8s.io/cloned-from-groupkind":
          "VSphereMachineTemplate.infrastructure.cluster.x-k8s.io",
      },
      ownerReferences: [
        {
          apiVersion: "cluster.x-k8s.io/v1beta2",
          kind: "MachineSet",
          name: `${cluster}-md-0-${index % 7}`,
          uid: `00000000-0000-4000-8000-${number}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      clusterName: cluster,
      version: "v1.34.4",
      providerID: `vsphere://42305f0b-dad7-1d3d-5727-${number}`,
      failureDomain: `zone-${index % 3}`,
      bootstrap: {
        configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name },
        dataSecretName: name,
      },
      infrastructureRef: {
        apiGroup: "infrastructure.cluster.x-k8s.io",
        kind: "VSphereMachine",
        name,
      },
      nodeDrainTimeoutSeconds: 300,
    },
  };
}
