import type { CustomResourceDefinition } from "@rookery/testing";

/** What the app calls its group, and what the cluster has. */
export const virtualGroup = "shop.example.dev";
export const realGroup = "shop.team1.example.com";
export const mapping = "--api-group-suffix=example.dev=team1.example.com";

const integer = { type: "integer", minimum: 0 };
const object = (properties: object) => ({ type: "object", properties });

/** A kind with everything that a CRD can have apart from webhooks. */
export function widgetCrd(group: string): CustomResourceDefinition {
  const schema = {
    openAPIV3Schema: {
      description: "Widget is a thing to sell.",
      ...object({
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { type: "object" },
        spec: {
          description: "WidgetSpec says what a Widget is to be.",
          ...object({
            size: { ...integer, maximum: 100, description: "Size in inches." },
            replicas: integer,
            color: { type: "string", default: "grey" },
          }),
        },
        status: object({
          replicas: integer,
          conditions: {
            type: "array",
            items: object({ type: { type: "string" }, status: { type: "string" } }),
          },
        }),
      }),
    },
  };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const version = {
    served: true,
    schema,
    subresources: { status: {}, scale },
    additionalPrinterColumns: [
      { name: "Size", type: "integer", jsonPath: ".spec.size" },
      { name: "Color", type: "string", jsonPath: ".spec.color", priority: 1 },
    ],
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: {
        kind: "Widget",
        listKind: "WidgetList",
        plural: "widgets",
        singular: "widget",
        shortNames: ["wd"],
        categories: ["shop"],
      },
      versions: [
        { ...version, name: "v1", storage: true },
        { ...version, name: "v1beta1", storage: false },
      ],
    },
  };
}

/** A Widget as the app writes it. */
export function widget(name: string, spec: object = { size: 3, replicas: 1 }, more: object = {}) {
  return { apiVersion: `${virtualGroup}/v1`, kind: "Widget", metadata: { name, ...more }, spec };
}
