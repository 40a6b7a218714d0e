import { list, object } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string, time } from "../../declaration/scalars.ts";
import { machineColumns } from "./columns.ts";
import { coreLabels } from "./labels.ts";
import { nodeInfo } from "./node-info.ts";
import { conditionGates, contractReference, objectName } from "./references.ts";

const seconds = () => integer({ format: "int32", minimum: 0 });

const deletion = object(
  {
    nodeDrainTimeoutSeconds: optional(seconds(), "How long draining may take; 0 for ever."),
    nodeVolumeDetachTimeoutSeconds: optional(
      seconds(),
      "How long the detaching of volumes may take; 0 for ever.",
    ),
    nodeDeletionTimeoutSeconds: optional(
      seconds(),
      "How long the deletion of the node is tried; 0 for ever.",
    ),
  },
  { minProperties: 1 },
);

const spec = object({
  clusterName: required(string({ minLength: 1, maxLength: 63 }), "The Cluster that it is of."),
  bootstrap: required(
    object({
      configRef: optional(contractReference(), "Who makes the data that the machine starts with."),
      dataSecretName: optional(
        string({ minLength: 0, maxLength: 253 }),
        "The Secret with the data that the machine starts with. Follows the configuration.",
      ),
    }),
    "What makes a machine a node.",
  ),
  infrastructureRef: required(contractReference(), "The machine itself."),
  version: optional(string({ minLength: 1, maxLength: 256 }), "The version of Kubernetes."),
  providerID: optional(
    string({ minLength: 1, maxLength: 512 }),
    "What the node and the infrastructure know the machine by.",
  ),
  failureDomain: optional(string({ minLength: 1, maxLength: 256 }), "Where it is wanted."),
  minReadySeconds: optional(seconds(), "How long it is ready before it is available."),
  readinessGates: optional(
    conditionGates(),
    "Further conditions that have to hold before the machine is ready.",
  ),
  deletion: optional(deletion, "How long the steps of its deletion may take."),
});

const address = object({
  type: required(
    enumeration("Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"),
    "What kind of address it is.",
  ),
  address: required(string({ minLength: 1, maxLength: 256 }), "The address."),
});

const status = object({
  conditions: optional(conditions(), "What is known of the machine, one condition for each type."),
  initialization: optional(
    object(
      {
        infrastructureProvisioned: optional(boolean(), "Whether the machine was there once."),
        bootstrapDataSecretCreated: optional(boolean(), "Whether its data was there once."),
      },
      { minProperties: 1 },
    ),
    "How far the machine came when it was new.",
  ),
  nodeRef: optional(
    object({ name: required(objectName(), "The name of the node.") }),
    "The node that the machine became.",
  ),
  nodeInfo: optional(nodeInfo(), "What the node says of itself."),
  lastUpdated: optional(time(), "When the phase changed last."),
  failureDomain: optional(string({ minLength: 1, maxLength: 256 }), "Where it is."),
  addresses: optional(list(address, { maxItems: 256 }), "The addresses of the machine."),
  phase: optional(
    enumeration(
      "Pending",
      "Provisioning",
      "Provisioned",
      "Running",
      "Updating",
      "Deleting",
      "Deleted",
      "Failed",
      "Unknown",
    ),
    "A word for people; conditions say more.",
  ),
  certificatesExpiryDate: optional(time(), "When certificates of a control plane machine end."),
  observedGeneration: optional(
    integer({ format: "int64", minimum: 1 }),
    "The generation that was reconciled last.",
  ),
  deletion: optional(
    object({
      nodeDrainStartTime: optional(time(), "When draining began."),
      waitForNodeVolumeDetachStartTime: optional(
        time(),
        "When the wait for volumes to be detached began.",
      ),
    }),
    "How far its deletion has come.",
  ),
});

/** A machine of Cluster API. On a real cluster its real core serves this kind. */
export const machine = defineKind({
  group: "cluster.x-k8s.io",
  kind: "Machine",
  plural: "machines",
  shortNames: ["ma"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: coreLabels,
  versions: {
    v1beta2: {
      doc: "Machine is a machine of a cluster, which becomes a node of it.",
      fields: {
        spec: required(spec, "What is wanted."),
        status: optional(status, "What there is."),
      },
      columns: machineColumns,
    },
  },
});

export type Machine = ObjectOf<typeof machine>;
export type MachineManifest = ManifestOf<typeof machine>;
