import type { Cluster } from "@rookery/api";
import type { ConditionStatement } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { priorityWith } from "../conditions/merge.ts";
import { summaryOf } from "../conditions/summary.ts";

const gone: readonly string[] = ["ObjectDeleted", "ObjectDoesNotExist"];
const parts: readonly string[] = ["InfrastructureReady", "ControlPlaneAvailable"];
const reasons = { issue: "NotAvailable", unknown: "AvailableUnknown", info: "Available" };

/** Whether a cluster can be used, from what was said of it before. */
export function availableSummary(cluster: Cluster): ConditionStatement {
  const gates = cluster.spec.availabilityGates ?? [];
  const negative = gates.filter(({ polarity }) => polarity === "Negative");
  const usual = priorityWith(["Deleting", ...negative.map(({ conditionType }) => conditionType)]);
  return summaryOf(cluster.status?.conditions, {
    type: "Available",
    reasons,
    of: [
      "Deleting",
      "RemoteConnectionProbe",
      "InfrastructureReady",
      "ControlPlaneAvailable",
      "WorkersAvailable",
      ...gates.map(({ conditionType }) => conditionType),
    ],
    priorityOf: (condition) => {
      // Of what is being deleted, parts may be gone.
      const isGone = parts.includes(condition.type) && gone.includes(condition.reason);
      return isBeingDeleted(cluster) && isGone ? "info" : usual(condition);
    },
  });
}
