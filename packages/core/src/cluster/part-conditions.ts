import type { Cluster } from "@rookery/api";
import { isDone } from "@rookery/cluster-api";
import { type Finding, hasConditionStatus, isFalse, isTrue, isUnknown } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { partFinding } from "../conditions/part.ts";
import { hasNode, isControlPlaneMachine } from "../machine/policies.ts";
import { seeLog } from "../names.ts";
import type { ObservedCluster } from "./scope.ts";

export function infrastructureReady(
  cluster: Cluster,
  { infrastructure }: ObservedCluster,
): Finding {
  const kind = cluster.spec.infrastructureRef?.kind ?? "";
  return partFinding(infrastructure, {
    of: "Ready",
    kind,
    isUp: cluster.status?.initialization?.infrastructureProvisioned ?? false,
    upReason: "Ready",
    downReason: "NotReady",
    downMessage: `${kind} status.initialization.provisioned is false`,
    deletedWhile: deletedWhile(cluster),
  });
}

export function controlPlaneAvailable(
  cluster: Cluster,
  { controlPlane }: ObservedCluster,
): Finding {
  const kind = cluster.spec.controlPlaneRef?.kind ?? "";
  return partFinding(controlPlane, {
    of: "Available",
    kind,
    isUp: cluster.status?.initialization?.controlPlaneInitialized ?? false,
    upReason: "Available",
    downReason: "NotAvailable",
    downMessage: `${kind} status.initialization.controlPlaneInitialized is false`,
    deletedWhile: deletedWhile(cluster),
  });
}

function deletedWhile(cluster: Cluster): string {
  return isBeingDeleted(cluster) ? "" : " while the cluster still exists";
}

/** Undefined where the condition is true: it stays true. */
export function controlPlaneInitialized(
  { spec, status }: Cluster,
  { controlPlane, infrastructure, machines }: ObservedCluster,
): Finding | undefined {
  if (hasConditionStatus(status?.conditions, "ControlPlaneInitialized", "True")) return undefined;
  switch (controlPlane.outcome) {
    case "found":
      return isDone("controlPlane", controlPlane)
        ? isTrue("Initialized")
        : isFalse("NotInitialized", "Control plane not yet initialized");
    case "unnamed":
      return machines.some((machine) => isControlPlaneMachine(machine) && hasNode(machine))
        ? isTrue("Initialized")
        : isFalse("NotInitialized", waitingForNode);
    default:
      // v1.13 reports a missing control plane only where the infrastructure is missing, too.
      return infrastructure.outcome === "missing"
        ? isUnknown("ObjectDoesNotExist", `${spec.controlPlaneRef?.kind} does not exist`)
        : isUnknown("InternalError", seeLog);
  }
}

const waitingForNode = "Waiting for the first control plane machine to have status.nodeRef set";
