import { list, object } from "../../declaration/collections.ts";
import { rule } from "../../declaration/field-type.ts";
import { defaulted, optional } from "../../declaration/fields.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { enumeration, integer, quantity, string } from "../../declaration/scalars.ts";
import {
  componentColumns,
  componentFields,
  componentScale,
  componentStatusFields,
  controlPlaneGroup,
} from "./component-fields.ts";
import { controlPlaneLabels } from "./labels.ts";
import { etcdAddress } from "./references.ts";

const members = integer({
  format: "int32",
  rules: [rule("self in [1, 3, 5]", "etcd must have 1, 3 or 5 members")],
});

const spec = object({
  ...componentFields,
  replicas: defaulted(members, 1, "How many members there are: 1, 3 or 5."),
  storage: defaulted(
    object({
      size: defaulted(quantity(), "1Gi", "The size of each member's volume."),
      storageClassName: optional(
        string({ minLength: 1, maxLength: 253 }),
        "The StorageClass of the volumes. The default one by default.",
      ),
    }),
    {},
    "Where the members keep their data.",
  ),
  deletionPolicy: defaulted(
    enumeration("Delete", "Retain"),
    "Delete",
    "What happens to the volumes when the component is deleted.",
  ),
});

const status = object({
  ...componentStatusFields,
  addresses: optional(list(etcdAddress()), "How the members are reached."),
});

/** The etcd of a nested control plane. */
export const nestedEtcd = defineKind({
  group: controlPlaneGroup,
  kind: "NestedEtcd",
  plural: "nestedetcds",
  shortNames: ["netcd"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedEtcd is the etcd of a nested control plane.",
      fields: {
        spec: defaulted(spec, {}, "The desired state."),
        status: optional(status, "The observed state."),
      },
      scale: componentScale,
      columns: componentColumns,
    },
  },
});

export type NestedEtcd = ObjectOf<typeof nestedEtcd>;
export type NestedEtcdManifest = ManifestOf<typeof nestedEtcd>;
