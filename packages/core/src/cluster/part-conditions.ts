import type { Cluster } from "@rookery/api";
import { isDone } from "@rookery/cluster-api";
import type { ConditionStatement } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { falseOf, partCondition, trueOf, unknownOf } from "../conditions/part.ts";
import { hasNode, isControlPlaneMachine } from "../machine/policies.ts";
import { seeLog } from "../words.ts";
import type { ClusterFindings } from "./scope.ts";

export function infrastructureReady(
  cluster: Cluster,
  { infrastructure }: ClusterFindings,
): ConditionStatement {
  const kind = cluster.spec.infrastructureRef?.kind ?? "";
  return partCondition(infrastructure, {
    type: "InfrastructureReady",
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
  { controlPlane }: ClusterFindings,
): ConditionStatement {
  const kind = cluster.spec.controlPlaneRef?.kind ?? "";
  return partCondition(controlPlane, {
    type: "ControlPlaneAvailable",
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

const type = "ControlPlaneInitialized";

/** Undefined where it is true already, and stays as it is. */
export function controlPlaneInitialized(
  cluster: Cluster,
  { controlPlane, infrastructure, machines }: ClusterFindings,
): ConditionStatement | undefined {
  const known = cluster.status?.conditions?.find((condition) => condition.type === type);
  if (known?.status === "True") return undefined;
  switch (controlPlane.outcome) {
    case "found":
      return isDone("controlPlane", controlPlane)
        ? trueOf(type, "Initialized")
        : falseOf(type, "NotInitialized", "Control plane not yet initialized");
    case "unnamed":
      return machines.some((machine) => isControlPlaneMachine(machine) && hasNode(machine))
        ? trueOf(type, "Initialized")
        : falseOf(type, "NotInitialized", waitingForNode);
    default:
      // As v1.13 has it: that it is missing is said only where the infrastructure is missing, too.
      return infrastructure.outcome === "missing"
        ? unknownOf(
            type,
            "ObjectDoesNotExist",
            `${cluster.spec.controlPlaneRef?.kind} does not exist`,
          )
        : unknownOf(type, "InternalError", seeLog);
  }
}

const waitingForNode = "Waiting for the first control plane machine to have status.nodeRef set";
