import type { Machine } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import {
  type Clock,
  type ConditionStatement,
  type Finding,
  formatTime,
  getCondition,
  isFalse,
  isTrue,
  statementsOf,
} from "@rookery/kube";
import { done, isBeingDeleted, type Result, requeueAfter } from "@rookery/runtime";
import { priorityWith } from "../conditions/merge.ts";
import { withOrderedConditions } from "../conditions/order.ts";
import { partFinding } from "../conditions/part.ts";
import { summaryOf } from "../conditions/summary.ts";
import { nodeFindings } from "./node-conditions.ts";
import type { ObservedMachine } from "./scope.ts";

/** The Machine with its conditions and phase, and when to reconcile it again. */
export function withStatus(
  machine: Machine,
  observed: ObservedMachine,
  clock: Clock,
): { readonly machine: Machine; readonly result: Result } {
  const findings = {
    BootstrapConfigReady: bootstrapReady(machine, observed),
    InfrastructureReady: infrastructureReady(machine, observed),
    ...nodeFindings(machine, observed, clock),
    Deleting: deleting(machine, observed),
    Updating: isFalse("NotUpdating", ""),
  };
  const stated = withOrderedConditions(machine, [notPaused, ...statementsOf(findings)], clock);
  const summary = statementsOf({ Ready: readySummary(stated, clock) });
  const ready = withOrderedConditions(stated, summary, clock);
  const { finding, result } = availableOf(ready, clock);
  const available = withOrderedConditions(ready, statementsOf({ Available: finding }), clock);
  const phase = phaseOf(machine);
  const isNew = phase !== machine.status?.phase;
  const lastUpdated = isNew ? { lastUpdated: formatTime(clock()) } : {};
  return {
    machine: { ...available, status: { ...available.status, phase, ...lastUpdated } },
    result,
  };
}

function bootstrapReady(machine: Machine, { bootstrap }: ObservedMachine): Finding {
  const { configRef } = machine.spec.bootstrap;
  if (!configRef) return isTrue("DataSecretProvided");
  const isUp = machine.status?.initialization?.bootstrapDataSecretCreated ?? false;
  return partFinding(bootstrap, {
    of: "Ready",
    kind: configRef.kind,
    // A missing bootstrap config counts as deleted only while the Machine is being deleted.
    isUp: isUp && (bootstrap.outcome !== "missing" || isBeingDeleted(machine)),
    field: "dataSecretCreated",
    deletedWhile: "",
  });
}

function infrastructureReady(machine: Machine, { infrastructure }: ObservedMachine): Finding {
  return partFinding(infrastructure, {
    of: "Ready",
    kind: machine.spec.infrastructureRef.kind,
    isUp: machine.status?.initialization?.infrastructureProvisioned ?? false,
    field: "provisioned",
    deletedWhile: isBeingDeleted(machine) ? "" : " while the Machine still exists",
  });
}

function deleting(machine: Machine, observed: ObservedMachine): Finding {
  if (!isBeingDeleted(machine)) return isFalse("NotDeleting", "");
  const { reason = "Deleting", message = "Deletion started" } = observed.deleting ?? {};
  return isTrue(reason, message);
}

function availableOf(
  { spec, status }: Machine,
  clock: Clock,
): { readonly finding: Finding; readonly result: Result } {
  const ready = getCondition(status?.conditions, "Ready");
  if (ready?.status !== "True") return { finding: isFalse("NotReady", ""), result: done };
  const readySeconds = (clock().getTime() - Date.parse(ready.lastTransitionTime)) / 1000;
  const left = (spec.minReadySeconds ?? 0) - readySeconds;
  if (left <= 0) return { finding: isTrue("Available"), result: done };
  return { finding: isFalse("WaitingForMinReadySeconds", ""), result: requeueAfter(left) };
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

const reasons = { issue: "NotReady", unknown: "ReadyUnknown", info: "Ready" };

/** Reasons that are no issue while a Machine is being deleted. */
const gone: Readonly<Record<string, readonly string[]>> = {
  BootstrapConfigReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  InfrastructureReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  NodeHealthy: ["NodeDeleted", "NodeDoesNotExist"],
};

/** Summarizes the other conditions of a Machine. */
function readySummary(machine: Machine, clock: Clock): Finding {
  const gates = machine.spec.readinessGates ?? [];
  const negative = gates.filter(({ polarity }) => polarity === "Negative");
  const usual = priorityWith([
    "Deleting",
    "Updating",
    ...negative.map(({ conditionType }) => conditionType),
  ]);
  const isDeleting = isBeingDeleted(machine);
  return summaryOf(machine.status?.conditions, {
    reasons,
    of: [
      "Deleting",
      "Updating",
      "BootstrapConfigReady",
      "InfrastructureReady",
      "NodeHealthy",
      "HealthCheckSucceeded",
      ...gates.map(({ conditionType }) => conditionType),
    ],
    optional: ["HealthCheckSucceeded"],
    overrides: isDeleting ? [deletionStage(machine, clock)] : [],
    priorityOf: (condition) => {
      const isGone = gone[condition.type]?.includes(condition.reason) ?? false;
      return isDeleting && isGone ? "info" : usual(condition);
    },
  });
}

const longMs = 15 * 60_000;

/** A short form of the condition Deleting. */
function deletionStage({ metadata, status }: Machine, clock: Clock): ConditionStatement {
  const stage = getCondition(status?.conditions, "Deleting")?.reason ?? "Deleting";
  const began = Date.parse(metadata.deletionTimestamp ?? "");
  const since = clock().getTime() - began > longMs ? " since more than 15m" : "";
  const message = `Machine deletion in progress${since}, stage: ${stage}`;
  return { type: "Deleting", status: "True", reason: "Deleting", message };
}
