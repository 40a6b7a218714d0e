import { ageColumn, conditionColumn, countColumn, textColumn } from "../../declaration/columns.ts";
import type { PrinterColumn } from "../../declaration/custom-resource-definition.ts";

const wide = { priority: 10 } as const;

/** The columns of `kubectl get clusters`. */
export const clusterColumns: readonly PrinterColumn[] = [
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
];

/** The columns of `kubectl get machines`. */
export const machineColumns: readonly PrinterColumn[] = [
  textColumn("Cluster", ".spec.clusterName"),
  textColumn("Node Name", ".status.nodeRef.name"),
  { ...textColumn("Provider ID", ".spec.providerID"), ...wide },
  textColumn("Failure domain", ".status.failureDomain"),
  conditionColumn("Ready", "Ready"),
  conditionColumn("Available", "Available"),
  conditionColumn("Up-to-date", "UpToDate"),
  { ...textColumn("Internal-IP", address("InternalIP")), ...wide },
  { ...textColumn("External-IP", address("ExternalIP")), ...wide },
  { ...textColumn("OS-Image", ".status.nodeInfo.osImage"), ...wide },
  { ...conditionColumn("Paused", "Paused"), ...wide },
  textColumn("Phase", ".status.phase"),
  ageColumn,
  textColumn("Version", ".spec.version"),
];

/** The columns of `kubectl get clusterresourcesets`. */
export const clusterResourceSetColumns: readonly PrinterColumn[] = [
  conditionColumn("Applied", "ResourcesApplied"),
  { ...conditionColumn("Paused", "Paused"), ...wide },
  ageColumn,
];

/** The columns of `kubectl get clusterresourcesetbindings`. */
export const clusterResourceSetBindingColumns: readonly PrinterColumn[] = [
  textColumn("Cluster", ".spec.clusterName"),
  ageColumn,
];

function address(type: string): string {
  return `.status.addresses[?(@.type=="${type}")].address`;
}
