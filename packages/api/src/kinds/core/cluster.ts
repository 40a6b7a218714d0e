import { list, listMap, map, object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, countColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string } from "../../declaration/scalars.ts";

import { coreLabels } from "./labels.ts";
import { conditionGates, contractReference, replicaCounts } from "./references.ts";

/** Columns that only wide output shows, with the priority of Cluster API. */
const wide = { priority: 10 } as const;

function networkRanges() {
  return object({
    cidrBlocks: required(
      list(string({ minLength: 1, maxLength: 43 }), { minItems: 1, maxItems: 100 }),
      "The ranges, each as an address, a slash and a length.",
    ),
  });
}

const port = () => integer({ format: "int32", minimum: 1, maximum: 65535 });

const clusterNetwork = object(
  {
    apiServerPort: optional(port(), "The port of the API server. Providers choose one otherwise."),
    services: optional(networkRanges(), "Where addresses of Services come from."),
    pods: optional(networkRanges(), "Where addresses of pods come from."),
    serviceDomain: optional(
      string({ minLength: 1, maxLength: 253 }),
      "The DNS domain of Services.",
    ),
  },
  { minProperties: 1 },
);

const spec = object(
  {
    paused: optional(boolean(), "Whether all controllers leave the cluster and its parts alone."),
    clusterNetwork: optional(clusterNetwork, "The network of the cluster."),
    controlPlaneEndpoint: optional(
      object(
        {
          host: optional(string({ minLength: 1, maxLength: 512 }), "The host name or address."),
          port: optional(port(), "The port."),
        },
        { minProperties: 1 },
      ),
      "Where the API server of the cluster is reached. Providers fill it in.",
    ),
    controlPlaneRef: optional(contractReference(), "The control plane of the cluster."),
    infrastructureRef: optional(contractReference(), "The infrastructure of the cluster."),
    availabilityGates: optional(
      conditionGates(),
      "Further conditions that have to hold before the cluster is available.",
    ),
  },
  { minProperties: 1 },
);

const failureDomains = listMap(
  object({
    name: required(string({ minLength: 1, maxLength: 256 }), "The name of the failure domain."),
    controlPlane: optional(boolean(), "Whether control plane machines may be there."),
    attributes: optional(map(string()), "Further attributes."),
  }),
  ["name"],
  { minItems: 1, maxItems: 100 },
);

const status = object({
  conditions: optional(conditions(), "The conditions of the cluster, one for each type."),
  initialization: optional(
    object(
      {
        infrastructureProvisioned: optional(
          boolean(),
          "Whether the infrastructure was there once; it stays true.",
        ),
        controlPlaneInitialized: optional(
          boolean(),
          "Whether the control plane answered once; it stays true.",
        ),
      },
      { minProperties: 1 },
    ),
    "How far the cluster came when it was new.",
  ),
  controlPlane: optional(replicaCounts(), "The machines of the control plane."),
  workers: optional(replicaCounts(), "The machines that are no part of the control plane."),
  failureDomains: optional(failureDomains, "Where machines may be placed."),
  phase: optional(
    enumeration("Pending", "Provisioning", "Provisioned", "Deleting", "Failed", "Unknown"),
    "The phase, for people. Conditions are more precise.",
  ),
  observedGeneration: optional(
    integer({ format: "int64", minimum: 1 }),
    "The generation that was reconciled last.",
  ),
});

/** A cluster of Cluster API. On a real cluster its real core serves this kind. */
export const cluster = defineKind({
  group: "cluster.x-k8s.io",
  kind: "Cluster",
  plural: "clusters",
  shortNames: ["cl"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: coreLabels,
  versions: {
    v1beta2: {
      doc: "Cluster is a cluster, made of the infrastructure and the control plane that it names.",
      fields: {
        spec: required(spec, "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        conditionColumn("Available", "Available"),
        countColumn("CP Desired", ".status.controlPlane.desiredReplicas"),
        { ...countColumn("CP Current", ".status.controlPlane.replicas"), ...wide },
        { ...countColumn("CP Ready", ".status.controlPlane.readyReplicas"), ...wide },
        countColumn("CP Available", ".status.controlPlane.availableReplicas"),
        countColumn("CP Up-to-date", ".status.controlPlane.upToDateReplicas"),
        countColumn("W Desired", ".status.workers.desiredReplicas"),
        { ...countColumn("W Current", ".status.workers.replicas"), ...wide },
        { ...countColumn("W Ready", ".status.workers.readyReplicas"), ...wide },
        countColumn("W Available", ".status.workers.availableReplicas"),
        countColumn("W Up-to-date", ".status.workers.upToDateReplicas"),
        { ...conditionColumn("Paused", "Paused"), ...wide },
        textColumn("Phase", ".status.phase"),
        ageColumn,
      ],
    },
  },
});

export type Cluster = ObjectOf<typeof cluster>;
export type ClusterManifest = ManifestOf<typeof cluster>;
