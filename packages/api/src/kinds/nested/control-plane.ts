import { object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { defaulted, optional } from "../../declaration/fields.ts";
import { templateSpec } from "../../declaration/fragments.ts";
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
        textColumn("Cluster", ".metadata.labels.cluster\\.x-k8s\\.io/cluster-name"),
        { name: "Initialized", type: "boolean", jsonPath: ".status.initialized" },
        { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
        textColumn("Version", ".status.version"),
        { ...textColumn("Host", ".spec.controlPlaneEndpoint.host"), priority: 1 },
        conditionColumn("Reason", "Ready", "reason"),
        ageColumn,
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
        spec: templateSpec(
          defaulted(object(controlPlaneSpecFields), {}, "The spec of the objects."),
        ),
      },
    },
  },
});

export type NestedControlPlane = ObjectOf<typeof nestedControlPlane>;
export type NestedControlPlaneManifest = ManifestOf<typeof nestedControlPlane>;
export type NestedControlPlaneTemplate = ObjectOf<typeof nestedControlPlaneTemplate>;
