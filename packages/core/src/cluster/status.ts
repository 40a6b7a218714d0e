import type { Cluster } from "@rookery/api";
import { failureDomainsOf, notPaused } from "@rookery/cluster-api";
import type { Clock, ConditionStatement } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { withOrderedConditions } from "../conditions/order.ts";
import { falseOf, trueOf } from "../conditions/part.ts";
import { availableSummary } from "./available.ts";
import { changeConditions, machineConditions } from "./machine-conditions.ts";
import {
  controlPlaneAvailable,
  controlPlaneInitialized,
  infrastructureReady,
} from "./part-conditions.ts";
import { isInfrastructureUp, isValidEndpoint } from "./policies.ts";
import { controlPlaneCounts, workerCounts } from "./replicas.ts";
import type { ClusterFindings } from "./scope.ts";

const graceMs = 50_000;

/** The Cluster with everything said of it that was found out, its initialization already told. */
export function withStatus(cluster: Cluster, findings: ClusterFindings, clock: Clock): Cluster {
  const told = withOrderedConditions(cluster, statementsOf(cluster, findings, clock), clock);
  const withSummary = withOrderedConditions(told, [availableSummary(told)], clock);
  const { failureDomains: known, ...status } = withSummary.status ?? {};
  const failureDomains = failureDomainsFor(cluster, findings) ?? known;
  return {
    ...withSummary,
    status: {
      ...status,
      phase: phaseOf(cluster),
      controlPlane: controlPlaneCounts(cluster, findings),
      workers: workerCounts(cluster, findings),
      ...(failureDomains?.length && { failureDomains }),
    },
  };
}

/** None where the infrastructure is there and says so; undefined where what is known stays. */
function failureDomainsFor({ status }: Cluster, { infrastructure }: ClusterFindings) {
  if (!isInfrastructureUp(infrastructure, status) || infrastructure.outcome !== "found") {
    return undefined;
  }
  return failureDomainsOf(infrastructure.object) ?? [];
}

function statementsOf(
  cluster: Cluster,
  findings: ClusterFindings,
  clock: Clock,
): ConditionStatement[] {
  return [
    notPaused,
    remoteConnectionProbe(cluster, findings, clock),
    infrastructureReady(cluster, findings),
    controlPlaneAvailable(cluster, findings),
    controlPlaneInitialized(cluster, findings),
    ...machineConditions(findings, clock),
    ...changeConditions(findings),
    deleting(cluster, findings),
  ].filter((statement) => statement !== undefined);
}

/** Undefined where it is too early to say more than was said. */
function remoteConnectionProbe(
  { status }: Cluster,
  { probe: { lastSuccess, failures, problem } }: ClusterFindings,
  clock: Clock,
): ConditionStatement | undefined {
  const type = "RemoteConnectionProbe";
  if (problem) return falseOf(type, "ProbeFailed", problem);
  if (!lastSuccess && failures < 5) {
    if (status?.conditions?.some((condition) => condition.type === type)) return undefined;
    return falseOf(type, "ProbeFailed", "Remote connection not established yet");
  }
  if (!lastSuccess) return falseOf(type, "ProbeFailed", "Remote connection probe failed");
  if (clock().getTime() - lastSuccess.getTime() <= graceMs) return trueOf(type, "ProbeSucceeded");
  const when = `${lastSuccess.toISOString().slice(0, 19)}Z`;
  const message = `Remote connection probe failed, probe last succeeded at ${when}`;
  return falseOf(type, "ProbeFailed", message);
}

function deleting(cluster: Cluster, findings: ClusterFindings): ConditionStatement {
  if (!isBeingDeleted(cluster)) return falseOf("Deleting", "NotDeleting");
  const { reason = "InternalError", message = "" } = findings.deleting ?? {};
  return trueOf("Deleting", reason, message);
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
