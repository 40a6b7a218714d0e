import { object } from "../../declaration/collections.ts";
import { defaulted, optional, required } from "../../declaration/fields.ts";
import { templateMetadata } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { controlPlaneGroup } from "./component-fields.ts";
import { controlPlaneSpecFields, controlPlaneStatus } from "./control-plane-fields.ts";
import { controlPlaneLabels } from "./labels.ts";

/** The control plane of a nested cluster: it joins its components and holds what they share. */
export const nestedControlPlane = defineKind({
  group: controlPlaneGroup,
  kind: "NestedControlPlane",
  plural: "nestedcontrolplanes",
  shortNames: ["ncp"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedControlPlane is a control plane whose components run as pods.",
      fields: {
        spec: defaulted(object(controlPlaneSpecFields), {}, "What is wanted."),
        status: optional(controlPlaneStatus, "What there is."),
      },
      columns: [
        {
          name: "Cluster",
          type: "string",
          jsonPath: ".metadata.labels.cluster\\.x-k8s\\.io/cluster-name",
        },
        { name: "Initialized", type: "boolean", jsonPath: ".status.initialized" },
        { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
        { name: "Version", type: "string", jsonPath: ".status.version" },
        {
          name: "Host",
          type: "string",
          jsonPath: ".spec.controlPlaneEndpoint.host",
          priority: 1,
        },
        {
          name: "Reason",
          type: "string",
          jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
        },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
  },
});

/** What NestedControlPlanes of a ClusterClass are made from. */
export const nestedControlPlaneTemplate = defineKind({
  group: controlPlaneGroup,
  kind: "NestedControlPlaneTemplate",
  plural: "nestedcontrolplanetemplates",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedControlPlaneTemplate is what NestedControlPlanes of a ClusterClass are made from.",
      fields: {
        spec: required(
          object({
            template: required(
              object({
                metadata: optional(templateMetadata(), "Labels and annotations of the objects."),
                spec: defaulted(object(controlPlaneSpecFields), {}, "The spec of the objects."),
              }),
              "The template.",
            ),
          }),
          "The template.",
        ),
      },
    },
  },
});

export type NestedControlPlane = ObjectOf<typeof nestedControlPlane>;
export type NestedControlPlaneManifest = ManifestOf<typeof nestedControlPlane>;
export type NestedControlPlaneTemplate = ObjectOf<typeof nestedControlPlaneTemplate>;
