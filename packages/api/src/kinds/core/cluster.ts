import { list, listMap, map, object } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string } from "../../declaration/scalars.ts";
import { clusterColumns } from "./columns.ts";
import { coreLabels } from "./labels.ts";
import { conditionGates, contractReference, replicaCounts } from "./references.ts";

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
    attributes: optional(map(string()), "What else is known of it."),
  }),
  ["name"],
  { minItems: 1, maxItems: 100 },
);

const status = object({
  conditions: optional(conditions(), "What is known of the cluster, one condition for each type."),
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
    "A word for people; conditions say more.",
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
        spec: required(spec, "What is wanted."),
        status: optional(status, "What there is."),
      },
      columns: clusterColumns,
    },
  },
});

export type Cluster = ObjectOf<typeof cluster>;
export type ClusterManifest = ManifestOf<typeof cluster>;
