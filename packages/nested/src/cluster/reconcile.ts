import type { NestedCluster } from "@rookery/api";
import { notPaused, type OwnerCluster, whenPaused } from "@rookery/cluster-api";
import {
  type Clock,
  type Finding,
  isFalse,
  isTrue,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { createLifecycle, type Outcome } from "@rookery/runtime";
import type { ReasonOf } from "../conditions.ts";
import { findingOf } from "../error-findings.ts";
import { controlPlaneName, endpointOf, referenceFor } from "./policies.ts";
import type { ClusterScope } from "./scope.ts";

/** Sets the control plane of a Cluster, and publishes its endpoint. */
export const clusterLifecycle = createLifecycle<NestedCluster, ClusterScope, OwnerCluster>({
  owner: (cluster, { getOwner }) => getOwner(cluster),
  whenPaused: (cluster, { clock }, owner) => whenPaused(cluster, owner, clock),
  whenUnowned: (cluster, { clock }) => ({ object: waiting(cluster, "WaitingForOwner", clock) }),
  provision,
  errors: {
    findingOf,
    withFinding: (cluster, finding, { clock }) =>
      withConditions(cluster, [{ type: "Ready", ...finding }], clock),
  },
});

async function provision(
  cluster: NestedCluster,
  scope: ClusterScope,
  owner: OwnerCluster,
): Promise<Outcome<NestedCluster>> {
  const reference = referenceFor(cluster, owner);
  if (reference) await scope.setControlPlane(owner, reference);
  return followControlPlane(cluster, scope, owner);
}

/** Copies endpoint and readiness of the control plane. */
async function followControlPlane(
  cluster: NestedCluster,
  { getControlPlane, commit, clock }: ClusterScope,
  owner: OwnerCluster,
): Promise<Outcome<NestedCluster>> {
  const name = controlPlaneName(cluster, owner);
  if (!name) return { object: waiting(cluster, "ControlPlaneMissing", clock) };
  const { namespace = "" } = cluster.metadata;
  const controlPlane = await getControlPlane({ namespace, name });
  if (!controlPlane) return { object: waiting(cluster, "WaitingForControlPlane", clock) };
  const controlPlaneEndpoint = endpointOf(controlPlane);
  if (!controlPlaneEndpoint) return { object: waiting(cluster, "WaitingForEndpoint", clock) };
  const spec = { ...cluster.spec, controlPlaneEndpoint };
  const published = await commit(cluster, { ...cluster, spec });
  return { object: provisioned(published, clock) };
}

type Reason = Exclude<ReasonOf<"NestedCluster">, "Ready" | "Paused" | "NotPaused">;

const messages: Readonly<Record<Reason, string>> = {
  WaitingForOwner: "no Cluster owns this object yet",
  WaitingForControlPlane: "the NestedControlPlane of the Cluster does not exist yet",
  WaitingForEndpoint: "the control plane has no endpoint yet",
  ControlPlaneMissing:
    "neither the Cluster nor this object names a NestedControlPlane; set spec.controlPlaneRef",
};

/** The cluster with a known endpoint. */
function provisioned(cluster: NestedCluster, clock: Clock): NestedCluster {
  const updated = withReady(cluster, isTrue("Ready"), clock);
  return { ...updated, status: { ...updated.status, initialization: { provisioned: true } } };
}

/** The cluster that is not ready. `initialization` stays: Cluster API reads it only at first. */
function waiting(cluster: NestedCluster, reason: Reason, clock: Clock): NestedCluster {
  return withReady(cluster, isFalse(reason, messages[reason]), clock);
}

function withReady(cluster: NestedCluster, finding: Finding, clock: Clock): NestedCluster {
  const statements = [...statementsOf({ Ready: finding }), notPaused];
  const updated = withConditions(cluster, statements, clock);
  return { ...updated, status: { ...updated.status, ready: finding.status === "True" } };
}
