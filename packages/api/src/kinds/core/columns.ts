import type { PrinterColumn } from "../../declaration/custom-resource-definition.ts";

const age: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
};

const wide = { priority: 10 } as const;

/** The columns of `kubectl get clusters`. */
export const clusterColumns: readonly PrinterColumn[] = [
  condition("Available", "Available"),
  count("CP Desired", "controlPlane.desiredReplicas"),
  { ...count("CP Current", "controlPlane.replicas"), ...wide },
  { ...count("CP Ready", "controlPlane.readyReplicas"), ...wide },
  count("CP Available", "controlPlane.availableReplicas"),
  count("CP Up-to-date", "controlPlane.upToDateReplicas"),
  count("W Desired", "workers.desiredReplicas"),
  { ...count("W Current", "workers.replicas"), ...wide },
  { ...count("W Ready", "workers.readyReplicas"), ...wide },
  count("W Available", "workers.availableReplicas"),
  count("W Up-to-date", "workers.upToDateReplicas"),
  { ...condition("Paused", "Paused"), ...wide },
  text("Phase", ".status.phase"),
  age,
];

/** The columns of `kubectl get machines`. */
export const machineColumns: readonly PrinterColumn[] = [
  text("Cluster", ".spec.clusterName"),
  text("Node Name", ".status.nodeRef.name"),
  { ...text("Provider ID", ".spec.providerID"), ...wide },
  text("Failure domain", ".status.failureDomain"),
  condition("Ready", "Ready"),
  condition("Available", "Available"),
  condition("Up-to-date", "UpToDate"),
  { ...text("Internal-IP", address("InternalIP")), ...wide },
  { ...text("External-IP", address("ExternalIP")), ...wide },
  { ...text("OS-Image", ".status.nodeInfo.osImage"), ...wide },
  { ...condition("Paused", "Paused"), ...wide },
  text("Phase", ".status.phase"),
  age,
  text("Version", ".spec.version"),
];

/** The columns of `kubectl get clusterresourcesets`. */
export const clusterResourceSetColumns: readonly PrinterColumn[] = [
  condition("Applied", "ResourcesApplied"),
  { ...condition("Paused", "Paused"), ...wide },
  age,
];

/** The columns of `kubectl get clusterresourcesetbindings`. */
export const clusterResourceSetBindingColumns: readonly PrinterColumn[] = [
  text("Cluster", ".spec.clusterName"),
  age,
];

function text(name: string, jsonPath: string): PrinterColumn {
  return { name, type: "string", jsonPath };
}

function count(name: string, path: string): PrinterColumn {
  return { name, type: "integer", jsonPath: `.status.${path}` };
}

function condition(name: string, type: string): PrinterColumn {
  return text(name, `.status.conditions[?(@.type=="${type}")].status`);
}

function address(type: string): string {
  return `.status.addresses[?(@.type=="${type}")].address`;
}
