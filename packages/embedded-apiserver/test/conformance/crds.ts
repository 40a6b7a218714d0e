import type { CustomResourceDefinition } from "@rookery/testing";

const group = "conformance.rookery.dev";

const widgetSchema = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      "x-kubernetes-validations": [
        {
          rule: "!has(self.forbidden) || self.size != self.forbidden",
          message: "that size is forbidden",
        },
        { rule: "self.size >= oldSelf.size", message: "a widget never shrinks" },
      ],
      properties: {
        size: { type: "integer", minimum: 0, maximum: 50 },
        forbidden: { type: "integer" },
        replicas: { type: "integer", default: 1 },
        colour: { type: "string", enum: ["red", "green"], default: "red" },
        parts: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, count: { type: "integer", default: 1 } },
          },
        },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        atoms: { type: "array", items: { type: "string" } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        port: { "x-kubernetes-int-or-string": true },
        when: { type: "string", format: "date-time" },
      },
    },
    status: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        phase: { type: "string" },
        selector: { type: "string" },
      },
    },
  },
};

const columns = [
  { name: "Size", type: "integer", jsonPath: ".spec.size" },
  { name: "Phase", type: "string", jsonPath: ".status.phase", priority: 1 },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

/** The custom kinds of the scenarios. */
export const definitions = [
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", shortNames: ["wd"], categories: ["all"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: widgetSchema },
          additionalPrinterColumns: columns,
          selectableFields: [{ jsonPath: ".spec.colour" }],
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
        },
        {
          name: "v1beta1",
          served: true,
          storage: false,
          deprecated: true,
          schema: { openAPIV3Schema: { ...widgetSchema, description: "An older one." } },
          subresources: { status: {} },
        },
      ],
    },
  },
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `plains.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural: "plains", kind: "Plain" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                colour: { type: "string", enum: ["red", "green", "blue"] },
                status: { type: "object", properties: { phase: { type: "string" } } },
              },
            },
          },
        },
      ],
    },
  },
] as unknown as readonly CustomResourceDefinition[];
