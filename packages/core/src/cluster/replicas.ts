import type { Cluster, Machine } from "@rookery/api";
import { numberField } from "@rookery/cluster-api";
import { hasConditionStatus } from "@rookery/kube";
import type { Lookup } from "../contract/externals.ts";
import { isControlPlaneMachine, isOwnedBy } from "../machine/policies.ts";
import type { ObservedCluster } from "./scope.ts";

type Counts = NonNullable<NonNullable<Cluster["status"]>["workers"]>;

/** The replicas that the control plane reports; without one, the number of control plane Machines. */
export function controlPlaneCounts(
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
export function workerCounts(cluster: Cluster, { machines }: ObservedCluster): Counts {
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
