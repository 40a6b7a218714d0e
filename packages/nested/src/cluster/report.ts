import type { NestedCluster } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { type Clock, isFalse, isTrue, statementsOf, withConditions } from "@rookery/kube";
import type { ReasonOf } from "../conditions.ts";

type Reason = Exclude<ReasonOf<"NestedCluster">, "Ready" | "Paused" | "NotPaused">;

const messages: Readonly<Record<Reason, string>> = {
  WaitingForOwner: "no Cluster owns this object yet",
  WaitingForControlPlane: "the NestedControlPlane that the Cluster names is not there yet",
  WaitingForEndpoint: "the control plane does not know yet where it is reached",
  ControlPlaneMissing:
    "neither the Cluster nor this object names a NestedControlPlane; set spec.controlPlaneRef",
};

/** The cluster whose endpoint is known. */
export function provisioned(cluster: NestedCluster, clock: Clock): NestedCluster {
  const statements = [...statementsOf({ Ready: isTrue("Ready") }), notPaused];
  const changed = withConditions(cluster, statements, clock);
  const status = { ...changed.status, ready: true, initialization: { provisioned: true } };
  return { ...changed, status };
}

/** The cluster that is not ready. `initialization` stays: Cluster API reads it only in the beginning. */
export function waiting(cluster: NestedCluster, reason: Reason, clock: Clock): NestedCluster {
  const ready = isFalse(reason, messages[reason]);
  const changed = withConditions(cluster, [...statementsOf({ Ready: ready }), notPaused], clock);
  return { ...changed, status: { ...changed.status, ready: false } };
}
