import type { Cluster } from "@rookery/api";
import type { Finding } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { priorityWith } from "../conditions/merge.ts";
import { summaryOf } from "../conditions/summary.ts";

const gone: readonly string[] = ["ObjectDeleted", "ObjectDoesNotExist"];
const parts: readonly string[] = ["InfrastructureReady", "ControlPlaneAvailable"];
const reasons = { issue: "NotAvailable", unknown: "AvailableUnknown", info: "Available" };

/** Summarizes the other conditions of a Cluster. */
export function availableSummary(cluster: Cluster): Finding {
  const gates = cluster.spec.availabilityGates ?? [];
  const negative = gates.filter(({ polarity }) => polarity === "Negative");
  const usual = priorityWith(["Deleting", ...negative.map(({ conditionType }) => conditionType)]);
  return summaryOf(cluster.status?.conditions, {
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
      // Parts of a Cluster that is being deleted may be gone.
      const isGone = parts.includes(condition.type) && gone.includes(condition.reason);
      return isBeingDeleted(cluster) && isGone ? "info" : usual(condition);
    },
  });
}
