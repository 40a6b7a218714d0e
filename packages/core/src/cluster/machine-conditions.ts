import type { Machine } from "@rookery/api";
import type { Clock, Condition, ConditionStatement, KubeObject } from "@rookery/kube";
import { aggregateOf } from "../conditions/aggregate.ts";
import { reportsCondition } from "../conditions/mirror.ts";
import { falseOf, trueOf, unknownOf } from "../conditions/part.ts";
import { isControlPlaneMachine } from "../machine/policies.ts";
import { seeLog } from "../words.ts";
import { type ClusterFindings, foundObject } from "./scope.ts";

const ready = { issue: "NotReady", unknown: "ReadyUnknown", info: "Ready" };
const upToDate = { issue: "NotUpToDate", unknown: "UpToDateUnknown", info: "UpToDate" };
/** How long a new machine may take to say whether it is up to date. */
const settleMs = 10_000;

/** What a Cluster says of its machines. */
export function machineConditions(
  { machines }: ClusterFindings,
  clock: Clock,
): ConditionStatement[] {
  const controlPlane = machines.filter(isControlPlaneMachine);
  const workers = machines.filter((machine) => !isControlPlaneMachine(machine));
  const settled = (some: readonly Machine[]) => some.filter((machine) => isSettled(machine, clock));
  return [
    // Machines by themselves are no workers that anybody wants a number of.
    trueOf("WorkersAvailable", "NoWorkers"),
    ofMachines("ControlPlaneMachinesReady", controlPlane, { of: "Ready", reasons: ready }),
    ofMachines("WorkerMachinesReady", workers, { of: "Ready", reasons: ready }),
    ofMachines("ControlPlaneMachinesUpToDate", settled(controlPlane), {
      of: "UpToDate",
      reasons: upToDate,
    }),
    ofMachines("WorkerMachinesUpToDate", settled(workers), { of: "UpToDate", reasons: upToDate }),
    // Nothing here checks the health of machines, so nothing is remediated.
    falseOf("Remediating", "NotRemediating"),
  ];
}

function isSettled({ metadata, status }: Machine, clock: Clock): boolean {
  const isKnown = status?.conditions?.some(({ type }) => type === "UpToDate") ?? false;
  const created = Date.parse(metadata.creationTimestamp ?? "");
  return isKnown || clock().getTime() - created > settleMs;
}

function ofMachines(
  type: string,
  machines: readonly Machine[],
  { of, reasons }: { readonly of: string; readonly reasons: typeof ready },
): ConditionStatement {
  if (machines.length === 0) return trueOf(type, "NoReplicas");
  return aggregateOf(machines, { type, of, reasons });
}

/** What a Cluster passes on of its control plane: whether that is being changed. */
export function changeConditions({ controlPlane }: ClusterFindings): ConditionStatement[] {
  const object = foundObject(controlPlane);
  return ["RollingOut", "ScalingUp", "ScalingDown"].map((type) => {
    if (controlPlane.outcome === "failed") return unknownOf(type, "InternalError", seeLog);
    if (!object || !reportsCondition(object, type)) return falseOf(type, `Not${type}`);
    const reasons = { issue: type, unknown: `${type}Unknown`, info: `Not${type}` };
    return aggregateOf([object as Reporting], { type, of: type, reasons, negative: true });
  });
}

type Reporting = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;
