import { object } from "../../declaration/collections.ts";
import { defaulted, optional } from "../../declaration/fields.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import {
  componentColumns,
  componentFields,
  componentScale,
  componentStatusFields,
  controlPlaneGroup,
  replicas,
} from "./component-fields.ts";
import { controlPlaneLabels } from "./labels.ts";

/** The controller manager of a nested control plane. */
export const nestedControllerManager = defineKind({
  group: controlPlaneGroup,
  kind: "NestedControllerManager",
  plural: "nestedcontrollermanagers",
  shortNames: ["nkcm"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedControllerManager is the controller manager of a nested control plane.",
      fields: {
        spec: defaulted(
          object({
            ...componentFields,
            replicas: defaulted(replicas(), 1, "How many pods there are."),
          }),
          {},
          "The desired state.",
        ),
        status: optional(object(componentStatusFields), "The observed state."),
      },
      scale: componentScale,
      columns: componentColumns,
    },
  },
});

export type NestedControllerManager = ObjectOf<typeof nestedControllerManager>;
export type NestedControllerManagerManifest = ManifestOf<typeof nestedControllerManager>;
