import type { Cluster } from "@rookery/api";
import { failureDomainsOf, notPaused } from "@rookery/cluster-api";
import {
  type Clock,
  type Finding,
  type Findings,
  formatTime,
  getCondition,
  isFalse,
  isTrue,
  statementsOf,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { withOrderedConditions } from "../conditions/order.ts";
import { availableSummary } from "./available.ts";
import { changeFindings, machineFindings } from "./machine-conditions.ts";
import {
  controlPlaneAvailable,
  controlPlaneInitialized,
  infrastructureReady,
} from "./part-conditions.ts";
import { isInfrastructureUp, isValidEndpoint } from "./policies.ts";
import { controlPlaneCounts, workerCounts } from "./replicas.ts";
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
