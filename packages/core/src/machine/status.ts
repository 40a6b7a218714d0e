import type { Machine } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { type Clock, type ConditionStatement, formatTime, getCondition } from "@rookery/kube";
import { done, isBeingDeleted, type Result, requeueAfter } from "@rookery/runtime";
import { withOrderedConditions } from "../conditions/order.ts";
import { falseOf, partCondition, trueOf } from "../conditions/part.ts";
import { nodeConditions } from "./node-conditions.ts";
import { readySummary } from "./ready.ts";
import type { MachineFindings } from "./scope.ts";

/** The Machine with everything said of it that was found out, and when to look again. */
export function withStatus(
  machine: Machine,
  findings: MachineFindings,
  clock: Clock,
): { readonly machine: Machine; readonly result: Result } {
  const statements = [
    notPaused,
    bootstrapReady(machine, findings),
    infrastructureReady(machine, findings),
    ...nodeConditions(machine, findings, clock),
    deleting(machine, findings),
    falseOf("Updating", "NotUpdating"),
  ];
  const told = withOrderedConditions(machine, statements, clock);
  const ready = withOrderedConditions(told, [readySummary(told, clock)], clock);
  const { statement, result } = availableOf(ready, clock);
  const available = withOrderedConditions(ready, [statement], clock);
  const phase = phaseOf(machine);
  const isNew = phase !== machine.status?.phase;
  const lastUpdated = isNew ? { lastUpdated: formatTime(clock()) } : {};
  return {
    machine: { ...available, status: { ...available.status, phase, ...lastUpdated } },
    result,
  };
}

function bootstrapReady(machine: Machine, { bootstrap }: MachineFindings): ConditionStatement {
  const type = "BootstrapConfigReady";
  const { configRef } = machine.spec.bootstrap;
  if (!configRef) return trueOf(type, "DataSecretProvided");
  const { kind } = configRef;
  const isUp = machine.status?.initialization?.bootstrapDataSecretCreated ?? false;
  return partCondition(bootstrap, {
    type,
    of: "Ready",
    kind,
    // That it was there once is said only when it is to go.
    isUp: isUp && (bootstrap.outcome !== "missing" || isBeingDeleted(machine)),
    upReason: "Ready",
    downReason: "NotReady",
    downMessage: `${kind} status.initialization.dataSecretCreated is false`,
    deletedWhile: "",
  });
}

function infrastructureReady(
  machine: Machine,
  { infrastructure }: MachineFindings,
): ConditionStatement {
  const { kind } = machine.spec.infrastructureRef;
  return partCondition(infrastructure, {
    type: "InfrastructureReady",
    of: "Ready",
    kind,
    isUp: machine.status?.initialization?.infrastructureProvisioned ?? false,
    upReason: "Ready",
    downReason: "NotReady",
    downMessage: `${kind} status.initialization.provisioned is false`,
    deletedWhile: isBeingDeleted(machine) ? "" : " while the Machine still exists",
  });
}

function deleting(machine: Machine, findings: MachineFindings): ConditionStatement {
  if (!isBeingDeleted(machine)) return falseOf("Deleting", "NotDeleting");
  const { reason = "Deleting", message = "Deletion started" } = findings.deleting ?? {};
  return trueOf("Deleting", reason, message);
}

function availableOf(
  { spec, status }: Machine,
  clock: Clock,
): { readonly statement: ConditionStatement; readonly result: Result } {
  const type = "Available";
  const ready = getCondition(status?.conditions, "Ready");
  if (ready?.status !== "True") return { statement: falseOf(type, "NotReady"), result: done };
  const readySeconds = (clock().getTime() - Date.parse(ready.lastTransitionTime)) / 1000;
  const left = (spec.minReadySeconds ?? 0) - readySeconds;
  if (left <= 0) return { statement: trueOf(type, "Available"), result: done };
  const statement = falseOf(type, "WaitingForMinReadySeconds");
  return { statement, result: requeueAfter(left) };
}

type Phase = NonNullable<NonNullable<Machine["status"]>["phase"]>;

function phaseOf(machine: Machine): Phase {
  const { spec, status } = machine;
  const { infrastructureProvisioned, bootstrapDataSecretCreated } = status?.initialization ?? {};
  if (isBeingDeleted(machine)) return "Deleting";
  if (status?.nodeRef?.name && infrastructureProvisioned) return "Running";
  if (spec.providerID) return "Provisioned";
  if (bootstrapDataSecretCreated && !infrastructureProvisioned) return "Provisioning";
  return status?.phase ?? "Pending";
}
