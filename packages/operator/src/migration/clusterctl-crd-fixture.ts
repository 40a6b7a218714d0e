const text = { type: "string" } as const;

/** The kind in which clusterctl keeps what is installed. */
export const clusterctlCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "providers.clusterctl.cluster.x-k8s.io" },
  spec: {
    group: "clusterctl.cluster.x-k8s.io",
    scope: "Namespaced",
    names: {
      kind: "Provider",
      plural: "providers",
      singular: "provider",
      listKind: "ProviderList",
    },
    versions: [
      {
        name: "v1alpha3",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { providerName: text, type: text, version: text, watchedNamespace: text },
          },
        },
      },
    ],
  },
} as const;
