import type { Machine } from "@rookery/api";
import { type Clock, type ConditionStatement, type Finding, getCondition } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { priorityWith } from "../conditions/merge.ts";
import { summaryOf } from "../conditions/summary.ts";

const reasons = { issue: "NotReady", unknown: "ReadyUnknown", info: "Ready" };

/** Reasons that are no issue while a Machine is being deleted. */
const gone: Readonly<Record<string, readonly string[]>> = {
  BootstrapConfigReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  InfrastructureReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  NodeHealthy: ["NodeDeleted", "NodeDoesNotExist"],
};

/** Summarizes the other conditions of a Machine. */
export function readySummary(machine: Machine, clock: Clock): Finding {
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
