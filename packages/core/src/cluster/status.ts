import type { Cluster, Machine } from "@rookery/api";
import { failureDomainsOf, notPaused, numberField } from "@rookery/cluster-api";
import {
  type Clock,
  type Finding,
  type Findings,
  formatTime,
  getCondition,
  hasConditionStatus,
  isFalse,
  isTrue,
  statementsOf,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { priorityWith } from "../conditions/merge.ts";
import { withOrderedConditions } from "../conditions/order.ts";
import { summaryOf } from "../conditions/summary.ts";
import type { Lookup } from "../contract/externals.ts";
import { isControlPlaneMachine, isOwnedBy } from "../machine/policies.ts";
import {
  changeFindings,
  controlPlaneAvailable,
  controlPlaneInitialized,
  infrastructureReady,
  machineFindings,
} from "./findings.ts";
import { isInfrastructureUp, isValidEndpoint } from "./policies.ts";
import type { ObservedCluster } from "./scope.ts";

const graceMs = 50_000;

/** The Cluster with its conditions, counts and phase; its initialization is up to date already. */
export function withStatus(cluster: Cluster, observed: ObservedCluster, clock: Clock): Cluster {
  const statements = [notPaused, ...statementsOf(findingsOf(cluster, observed, clock))];
  const stated = withOrderedConditions(cluster, statements, clock);
  const summary = statementsOf({ Available: availableSummary(stated) });
  const withSummary = withOrderedConditions(stated, summary, clock);
  const { failureDomains: known, ...status } = withSummary.status ?? {};
  const failureDomains = failureDomainsFor(cluster, observed) ?? known;
  return {
    ...withSummary,
    status: {
      ...status,
      phase: phaseOf(cluster),
      controlPlane: controlPlaneCounts(cluster, observed),
      workers: workerCounts(cluster, observed),
      ...(failureDomains?.length && { failureDomains }),
    },
  };
}

/** Empty where the infrastructure has none; undefined where the known ones stay. */
function failureDomainsFor({ status }: Cluster, { infrastructure }: ObservedCluster) {
  if (!isInfrastructureUp(infrastructure, status) || infrastructure.outcome !== "found") {
    return undefined;
  }
  return failureDomainsOf(infrastructure.object) ?? [];
}

function findingsOf(cluster: Cluster, observed: ObservedCluster, clock: Clock): Findings {
  return {
    RemoteConnectionProbe: remoteConnectionProbe(cluster, observed, clock),
    InfrastructureReady: infrastructureReady(cluster, observed),
    ControlPlaneAvailable: controlPlaneAvailable(cluster, observed),
    ControlPlaneInitialized: controlPlaneInitialized(cluster, observed),
    ...machineFindings(observed, clock),
    ...changeFindings(observed),
    Deleting: deleting(cluster, observed),
  };
}

/** Undefined where the first probes have failed and the condition exists: it stays as it is. */
function remoteConnectionProbe(
  { status }: Cluster,
  { probe: { lastSuccess, failures, problem } }: ObservedCluster,
  clock: Clock,
): Finding | undefined {
  if (problem) return isFalse("ProbeFailed", problem);
  if (!lastSuccess && failures < 5) {
    if (getCondition(status?.conditions, "RemoteConnectionProbe")) return undefined;
    return isFalse("ProbeFailed", "Remote connection not established yet");
  }
  if (!lastSuccess) return isFalse("ProbeFailed", "Remote connection probe failed");
  if (clock().getTime() - lastSuccess.getTime() <= graceMs) return isTrue("ProbeSucceeded");
  const when = formatTime(lastSuccess);
  return isFalse("ProbeFailed", `Remote connection probe failed, probe last succeeded at ${when}`);
}

function deleting(cluster: Cluster, observed: ObservedCluster): Finding {
  if (!isBeingDeleted(cluster)) return isFalse("NotDeleting", "");
  const { reason = "InternalError", message = "" } = observed.deleting ?? {};
  return isTrue(reason, message);
}

type Phase = NonNullable<NonNullable<Cluster["status"]>["phase"]>;

function phaseOf(cluster: Cluster): Phase {
  const { spec, status } = cluster;
  if (isBeingDeleted(cluster)) return "Deleting";
  if (status?.initialization?.infrastructureProvisioned && isValidEndpoint(spec)) {
    return "Provisioned";
  }
  if (spec.infrastructureRef || spec.controlPlaneRef) return "Provisioning";
  return status?.phase ?? "Pending";
}

const gone: readonly string[] = ["ObjectDeleted", "ObjectDoesNotExist"];
const parts: readonly string[] = ["InfrastructureReady", "ControlPlaneAvailable"];
const reasons = { issue: "NotAvailable", unknown: "AvailableUnknown", info: "Available" };

/** Summarizes the other conditions of a Cluster. */
function availableSummary(cluster: Cluster): Finding {
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

type Counts = NonNullable<NonNullable<Cluster["status"]>["workers"]>;

/** The replicas that the control plane reports; without one, the number of control plane Machines. */
function controlPlaneCounts(
  { spec, status }: Cluster,
  { controlPlane, machines }: ObservedCluster,
): Counts {
  if (!spec.controlPlaneRef) return countsOf(machines.filter(isControlPlaneMachine));
  if (controlPlane.outcome !== "found") return {};
  return { ...status?.controlPlane, ...reportedCounts(controlPlane) };
}

function reportedCounts({ object, contract }: Extract<Lookup, { outcome: "found" }>): Counts {
  const isOld = contract === "v1beta1";
  const desired = numberField(object, ["spec", "replicas"]);
  const counts = {
    desiredReplicas: desired,
    replicas: numberField(object, ["status", "replicas"]),
    readyReplicas: numberField(object, ["status", "readyReplicas"]),
    availableReplicas: isOld
      ? availableOf(desired, numberField(object, ["status", "unavailableReplicas"]))
      : numberField(object, ["status", "availableReplicas"]),
    upToDateReplicas: numberField(object, [
      "status",
      isOld ? "updatedReplicas" : "upToDateReplicas",
    ]),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined));
}

function availableOf(desired: number | undefined, unavailable: number | undefined) {
  if (desired === undefined || unavailable === undefined) return undefined;
  return Math.max(0, desired - unavailable);
}

/** The number of workers that belong to the Cluster itself. */
function workerCounts(cluster: Cluster, { machines }: ObservedCluster): Counts {
  const workers = machines.filter((machine) => !isControlPlaneMachine(machine));
  return countsOf(workers.filter((machine) => isOwnedBy(machine, cluster)));
}

/** All Machines count as desired, since nothing else sets a number. A count of zero is left out. */
function countsOf(machines: readonly Machine[]): Counts {
  const count = (type: string) =>
    machines.filter(({ status }) => hasConditionStatus(status?.conditions, type, "True")).length;
  const counts = {
    desiredReplicas: machines.length,
    replicas: machines.length,
    readyReplicas: count("Ready"),
    availableReplicas: count("Available"),
    upToDateReplicas: count("UpToDate"),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value > 0));
}
