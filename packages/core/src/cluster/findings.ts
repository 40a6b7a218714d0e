import type { Cluster, Machine } from "@rookery/api";
import { isDone } from "@rookery/cluster-api";
import {
  type Clock,
  type Condition,
  type Finding,
  type Findings,
  hasConditionStatus,
  isFalse,
  isTrue,
  isUnknown,
  type KubeObject,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { aggregateOf } from "../conditions/aggregate.ts";
import { reportsCondition } from "../conditions/mirror.ts";
import { partFinding } from "../conditions/part.ts";
import { hasNode, isControlPlaneMachine } from "../machine/policies.ts";
import { seeLog } from "../names.ts";
import { foundObject, type ObservedCluster } from "./scope.ts";

export function infrastructureReady(
  cluster: Cluster,
  { infrastructure }: ObservedCluster,
): Finding {
  return partFinding(infrastructure, {
    of: "Ready",
    kind: cluster.spec.infrastructureRef?.kind ?? "",
    isUp: cluster.status?.initialization?.infrastructureProvisioned ?? false,
    field: "provisioned",
    deletedWhile: deletedWhile(cluster),
  });
}

export function controlPlaneAvailable(
  cluster: Cluster,
  { controlPlane }: ObservedCluster,
): Finding {
  return partFinding(controlPlane, {
    of: "Available",
    kind: cluster.spec.controlPlaneRef?.kind ?? "",
    isUp: cluster.status?.initialization?.controlPlaneInitialized ?? false,
    field: "controlPlaneInitialized",
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

const ready = {
  of: "Ready",
  reasons: { issue: "NotReady", unknown: "ReadyUnknown", info: "Ready" },
};
const upToDate = {
  of: "UpToDate",
  reasons: { issue: "NotUpToDate", unknown: "UpToDateUnknown", info: "UpToDate" },
};
/** A new Machine has this long to report its condition UpToDate. */
const settleMs = 10_000;

/** The findings of a Cluster about its Machines. */
export function machineFindings({ machines }: ObservedCluster, clock: Clock): Findings {
  const controlPlane = machines.filter(isControlPlaneMachine);
  const workers = machines.filter((machine) => !isControlPlaneMachine(machine));
  const settled = (some: readonly Machine[]) => some.filter((machine) => isSettled(machine, clock));
  return {
    // Machines without a MachineDeployment are no workers with a desired number.
    WorkersAvailable: isTrue("NoWorkers"),
    ControlPlaneMachinesReady: ofMachines(controlPlane, ready),
    WorkerMachinesReady: ofMachines(workers, ready),
    ControlPlaneMachinesUpToDate: ofMachines(settled(controlPlane), upToDate),
    WorkerMachinesUpToDate: ofMachines(settled(workers), upToDate),
    // This core has no health checks, so it remediates nothing.
    Remediating: isFalse("NotRemediating", ""),
  };
}

function isSettled({ metadata, status }: Machine, clock: Clock): boolean {
  const isKnown = status?.conditions?.some(({ type }) => type === "UpToDate") ?? false;
  const created = Date.parse(metadata.creationTimestamp ?? "");
  return isKnown || clock().getTime() - created > settleMs;
}

function ofMachines(machines: readonly Machine[], options: typeof ready): Finding {
  return machines.length === 0 ? isTrue("NoReplicas") : aggregateOf(machines, options);
}

/** The conditions of the control plane about its changes, which the Cluster repeats. */
export function changeFindings({ controlPlane }: ObservedCluster): Findings {
  const object = foundObject(controlPlane);
  const findingOf = (type: string): Finding => {
    if (controlPlane.outcome === "failed") return isUnknown("InternalError", seeLog);
    if (!object || !reportsCondition(object, type)) return isFalse(`Not${type}`, "");
    const reasons = { issue: type, unknown: `${type}Unknown`, info: `Not${type}` };
    return aggregateOf([object as Reporting], { of: type, reasons, negative: true });
  };
  const types = ["RollingOut", "ScalingUp", "ScalingDown"];
  return Object.fromEntries(types.map((type) => [type, findingOf(type)]));
}

type Reporting = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;
