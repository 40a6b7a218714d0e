import type { Machine } from "@rookery/api";
import { type Clock, type ConditionStatement, getCondition } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { priorityWith } from "../conditions/merge.ts";
import { trueOf } from "../conditions/part.ts";
import { summaryOf } from "../conditions/summary.ts";

const reasons = { issue: "NotReady", unknown: "ReadyUnknown", info: "Ready" };

/** What may be gone while a machine is being deleted. */
const gone: Readonly<Record<string, readonly string[]>> = {
  BootstrapConfigReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  InfrastructureReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  NodeHealthy: ["NodeDeleted", "NodeDoesNotExist"],
};

/** Whether a machine can be used, from what was said of it before. */
export function readySummary(machine: Machine, clock: Clock): ConditionStatement {
  const gates = machine.spec.readinessGates ?? [];
  const negative = gates.filter(({ polarity }) => polarity === "Negative");
  const usual = priorityWith([
    "Deleting",
    "Updating",
    ...negative.map(({ conditionType }) => conditionType),
  ]);
  const isDeleting = isBeingDeleted(machine);
  return summaryOf(machine.status?.conditions, {
    type: "Ready",
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

/** The whole story is in the condition Deleting; here is only where it is. */
function deletionStage({ metadata, status }: Machine, clock: Clock): ConditionStatement {
  const stage = getCondition(status?.conditions, "Deleting")?.reason ?? "Deleting";
  const began = Date.parse(metadata.deletionTimestamp ?? "");
  const since = clock().getTime() - began > longMs ? " since more than 15m" : "";
  return trueOf("Deleting", "Deleting", `Machine deletion in progress${since}, stage: ${stage}`);
}
