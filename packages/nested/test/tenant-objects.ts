/** What a tenant makes that they could not make in a namespace: cluster-wide things of their own. */
export const clusterWide = [
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "nests.birds.example" },
    spec: {
      group: "birds.example",
      scope: "Namespaced",
      names: { kind: "Nest", plural: "nests", singular: "nest" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      ],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "nests" },
    webhooks: [
      {
        name: "nests.birds.example",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Ignore",
        clientConfig: { url: "https://127.0.0.1:1/validate" },
        rules: [
          {
            apiGroups: ["birds.example"],
            apiVersions: ["v1"],
            operations: ["CREATE"],
            resources: ["nests"],
          },
        ],
      },
    ],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "nest-watcher" },
    rules: [
      { apiGroups: ["birds.example"], resources: ["nests"], verbs: ["get", "list", "watch"] },
    ],
  },
];

export const nest = {
  apiVersion: "birds.example/v1",
  kind: "Nest",
  metadata: { name: "first", namespace: "default" },
  color: "blue",
};
