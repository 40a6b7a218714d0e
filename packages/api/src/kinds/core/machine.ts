import { list, object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string, time } from "../../declaration/scalars.ts";

import { coreLabels } from "./labels.ts";
import { conditionGates, contractReference, objectName } from "./references.ts";

/** Columns that only wide output shows, with the priority of Cluster API. */
const wide = { priority: 10 } as const;

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
  clusterName: required(string({ minLength: 1, maxLength: 63 }), "The name of the Cluster."),
  bootstrap: required(
    object({
      configRef: optional(contractReference(), "The object that creates the bootstrap data."),
      dataSecretName: optional(
        string({ minLength: 0, maxLength: 253 }),
        "The Secret with the bootstrap data. Set from the configuration.",
      ),
    }),
    "How the machine becomes a node.",
  ),
  infrastructureRef: required(contractReference(), "The machine itself."),
  version: optional(string({ minLength: 1, maxLength: 256 }), "The version of Kubernetes."),
  providerID: optional(
    string({ minLength: 1, maxLength: 512 }),
    "The identity of the machine in the infrastructure and on the node.",
  ),
  failureDomain: optional(
    string({ minLength: 1, maxLength: 256 }),
    "The requested failure domain.",
  ),
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
    "The type of the address.",
  ),
  address: required(string({ minLength: 1, maxLength: 256 }), "The address."),
});

const status = object({
  conditions: optional(conditions(), "The conditions of the machine, one for each type."),
  initialization: optional(
    object(
      {
        infrastructureProvisioned: optional(boolean(), "Whether the machine was there once."),
        bootstrapDataSecretCreated: optional(boolean(), "Whether its data was there once."),
      },
      { minProperties: 1 },
    ),
    "The steps of the creation that are complete.",
  ),
  nodeRef: optional(
    object({ name: required(objectName(), "The name of the node.") }),
    "The node that the machine became.",
  ),
  nodeInfo: optional(nodeInfo(), "Information about the node."),
  lastUpdated: optional(time(), "When the phase changed last."),
  failureDomain: optional(string({ minLength: 1, maxLength: 256 }), "The failure domain."),
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
    "The phase, for people. Conditions are more precise.",
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
    "The progress of the deletion.",
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
        spec: required(spec, "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        textColumn("Cluster", ".spec.clusterName"),
        textColumn("Node Name", ".status.nodeRef.name"),
        { ...textColumn("Provider ID", ".spec.providerID"), ...wide },
        textColumn("Failure domain", ".status.failureDomain"),
        conditionColumn("Ready", "Ready"),
        conditionColumn("Available", "Available"),
        conditionColumn("Up-to-date", "UpToDate"),
        { ...textColumn("Internal-IP", addressPath("InternalIP")), ...wide },
        { ...textColumn("External-IP", addressPath("ExternalIP")), ...wide },
        { ...textColumn("OS-Image", ".status.nodeInfo.osImage"), ...wide },
        { ...conditionColumn("Paused", "Paused"), ...wide },
        textColumn("Phase", ".status.phase"),
        ageColumn,
        textColumn("Version", ".spec.version"),
      ],
    },
  },
});

export type Machine = ObjectOf<typeof machine>;
export type MachineManifest = ManifestOf<typeof machine>;

/** A corev1.NodeSystemInfo. */
function nodeInfo() {
  return object({
    machineID: required(string(), "The machine ID."),
    systemUUID: required(string(), "The UUID of the system."),
    bootID: required(string(), "The ID of this boot."),
    kernelVersion: required(string(), "The version of the kernel."),
    osImage: required(string(), "The operating system, for people."),
    containerRuntimeVersion: required(string(), "The container runtime and its version."),
    kubeletVersion: required(string(), "The version of the kubelet."),
    kubeProxyVersion: required(string(), "No longer used."),
    operatingSystem: required(string(), "The operating system."),
    architecture: required(string(), "The architecture."),
    swap: optional(
      object({ capacity: optional(integer({ format: "int64" }), "Its size in bytes.") }),
      "The swap memory of the node.",
    ),
  });
}

function addressPath(type: string): string {
  return `.status.addresses[?(@.type=="${type}")].address`;
}
