import { map, object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions, labelSelector, templateSpec } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string } from "../../declaration/scalars.ts";
import { connection } from "./clone-spec.ts";
import { vsphereLabels } from "./labels.ts";

const identityReference = object({
  kind: required(
    enumeration("VSphereClusterIdentity", "Secret"),
    "A VSphereClusterIdentity, or a Secret in the namespace of the cluster.",
  ),
  name: required(string({ minLength: 1, maxLength: 253 }), "The name of the identity."),
});

const specFields = {
  server: optional(string({ maxLength: 253 }), "The vCenter, with a port where it is not 443."),
  thumbprint: optional(
    string({ maxLength: 95 }),
    "The SHA-1 or SHA-256 of the vCenter's certificate, as it shows it. Where it is not set, the " +
      "authorities that the controller knows must have signed the certificate.",
  ),
  controlPlaneEndpoint: optional(
    object({
      host: required(string({ maxLength: 512 }), "The host name or address."),
      port: required(integer({ format: "int32", minimum: 0, maximum: 65535 }), "The port."),
    }),
    "Where the API server of the cluster is reached.",
  ),
  identityRef: optional(
    identityReference,
    "The account that the cluster is made with. The controller's own by default.",
  ),
  failureDomainSelector: optional(
    labelSelector(),
    "Selects the failure domains for control plane machines.",
  ),
};

const status = object({
  ready: optional(boolean(), "Whether machines can be made for the cluster."),
  initialization: optional(
    object({
      provisioned: optional(boolean(), "Whether the infrastructure of the cluster is there."),
    }),
    "The fields that Cluster API waits for in a new cluster.",
  ),
  conditions: optional(conditions(), "The conditions of the cluster, one for each type."),
  connection: optional(connection, "The vCenter and the account that were used last."),
  vCenterVersion: optional(string(), "The version of the vCenter."),
  failureDomains: optional(
    map(
      object({
        controlPlane: optional(boolean(), "Whether control plane machines may be there."),
        attributes: optional(map(string()), "Further attributes."),
      }),
    ),
    "Where machines may be placed.",
  ),
});

/** The infrastructure of a cluster: which vCenter it is on, and as whom it is made. */
export const vsphereCluster = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "VSphereCluster",
  plural: "vsphereclusters",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: vsphereLabels,
  versions: {
    v1beta1: {
      doc: "VSphereCluster is the infrastructure of a cluster on a vCenter.",
      fields: {
        spec: optional(object(specFields), "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        textColumn("Ready", ".status.ready"),
        textColumn("Server", ".spec.server"),
        { ...textColumn("ControlPlaneEndpoint", ".spec.controlPlaneEndpoint.host"), priority: 1 },
        conditionColumn("Reason", "Ready", "reason"),
        ageColumn,
      ],
    },
  },
});

/** The template of VSphereClusters of a ClusterClass. */
export const vsphereClusterTemplate = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "VSphereClusterTemplate",
  plural: "vsphereclustertemplates",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: vsphereLabels,
  versions: {
    v1beta1: {
      doc: "VSphereClusterTemplate is what VSphereClusters of a ClusterClass are made from.",
      fields: {
        spec: templateSpec(required(object(specFields), "The spec of the objects.")),
      },
    },
  },
});

export type VSphereClusterTemplate = ObjectOf<typeof vsphereClusterTemplate>;
export type VSphereCluster = ObjectOf<typeof vsphereCluster>;
export type VSphereClusterManifest = ManifestOf<typeof vsphereCluster>;
