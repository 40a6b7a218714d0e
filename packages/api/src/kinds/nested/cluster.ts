import { object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { optional } from "../../declaration/fields.ts";
import { conditions, templateSpec } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, string } from "../../declaration/scalars.ts";
import { infrastructureLabels } from "./labels.ts";
import { apiEndpoint, fullObjectReference } from "./references.ts";

const group = "infrastructure.cluster.x-k8s.io";

const specFields = {
  controlPlaneRef: optional(
    fullObjectReference(),
    "The control plane of the cluster. It becomes the Cluster's own where that has none.",
  ),
  controlPlaneEndpoint: optional(
    apiEndpoint(),
    "Where the API server of the cluster is reached. Follows the control plane.",
  ),
};

const status = object({
  ready: optional(boolean(), "Whether it is known where the API server of the cluster is reached."),
  initialization: optional(
    object({
      provisioned: optional(boolean(), "Whether the infrastructure of the cluster is there."),
    }),
    "The fields that Cluster API waits for in a new cluster.",
  ),
  conditions: optional(conditions(), "The conditions of the cluster, one for each type."),
  failureMessage: optional(string(), "An error that retries do not fix."),
});

/** The infrastructure of a nested cluster: the link between its Cluster and its control plane. */
export const nestedCluster = defineKind({
  group,
  kind: "NestedCluster",
  plural: "nestedclusters",
  shortNames: ["nc"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: infrastructureLabels,
  versions: {
    v1alpha4: {
      doc: "NestedCluster is the infrastructure of a cluster whose control plane runs as pods.",
      fields: {
        spec: optional(object(specFields), "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
        textColumn("Host", ".spec.controlPlaneEndpoint.host"),
        { name: "Port", type: "integer", jsonPath: ".spec.controlPlaneEndpoint.port" },
        conditionColumn("Reason", "Ready", "reason"),
        ageColumn,
      ],
    },
  },
});

/** The template of NestedClusters of a ClusterClass. */
export const nestedClusterTemplate = defineKind({
  group,
  kind: "NestedClusterTemplate",
  plural: "nestedclustertemplates",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: infrastructureLabels,
  versions: {
    v1alpha4: {
      doc: "NestedClusterTemplate is what NestedClusters of a ClusterClass are made from.",
      fields: {
        spec: templateSpec(optional(object(specFields), "The spec of the objects.")),
      },
    },
  },
});

export type NestedCluster = ObjectOf<typeof nestedCluster>;
export type NestedClusterManifest = ManifestOf<typeof nestedCluster>;
export type NestedClusterTemplate = ObjectOf<typeof nestedClusterTemplate>;
