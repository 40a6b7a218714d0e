import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import { isPaused, notPaused, type OwnerCluster, paused, refersTo } from "@rookery/cluster-api";
import { withConditions } from "@rookery/kube";
import { done, isBeingDeleted, type Request, type Result } from "@rookery/runtime";
import type { ReasonOf } from "../conditions.ts";
import { controlPlanes } from "../resources.ts";
import { referenceFor } from "./policies.ts";
import type { ClusterDependencies } from "./scope.ts";

/** Joins a Cluster with its control plane, and tells where that is reached. */
export async function reconcileCluster(
  request: Request,
  dependencies: ClusterDependencies,
): Promise<Result> {
  const cluster = await dependencies.getCluster(request);
  if (!cluster || isBeingDeleted(cluster)) return done;
  const owner = await dependencies.getOwner(cluster);
  if (isPaused(owner, cluster)) return pause(cluster, dependencies);
  if (!owner) return fail(cluster, "WaitingForOwner", dependencies);
  const reference = referenceFor(cluster, owner);
  if (reference) await dependencies.setControlPlane(owner, reference);
  return follow(cluster, owner, dependencies);
}

/** Keeps endpoint and readiness in step with the control plane. */
async function follow(
  cluster: NestedCluster,
  owner: OwnerCluster,
  dependencies: ClusterDependencies,
): Promise<Result> {
  const name = controlPlaneName(cluster, owner);
  if (!name) return fail(cluster, "ControlPlaneMissing", dependencies);
  const { namespace = "" } = cluster.metadata;
  const controlPlane = await dependencies.getControlPlane({ namespace, name });
  if (!controlPlane) return fail(cluster, "WaitingForControlPlane", dependencies);
  const endpoint = endpointOf(controlPlane);
  if (!endpoint) return fail(cluster, "WaitingForEndpoint", dependencies);
  const spec = { ...cluster.spec, controlPlaneEndpoint: endpoint };
  const committed = await dependencies.commit(cluster, { ...cluster, spec });
  await dependencies.commit(committed, provisioned(committed, dependencies));
  return done;
}

/** What the Cluster names; where that is not written yet, what it is about to name. */
function controlPlaneName({ spec }: NestedCluster, owner: OwnerCluster): string | undefined {
  const named = owner.spec?.controlPlaneRef;
  if (named?.name) return refersTo(named, controlPlanes) ? named.name : undefined;
  const own = spec?.controlPlaneRef;
  return refersTo(own, controlPlanes) ? own.name : undefined;
}

type Endpoint = NonNullable<NestedControlPlane["spec"]["controlPlaneEndpoint"]>;

function endpointOf({ spec }: NestedControlPlane): Endpoint | undefined {
  const endpoint = spec.controlPlaneEndpoint;
  return endpoint?.host && endpoint.port ? endpoint : undefined;
}

function provisioned(cluster: NestedCluster, { clock }: ClusterDependencies): NestedCluster {
  const ready = { type: "Ready", status: "True", reason: "Ready", message: "" } as const;
  const changed = withConditions(cluster, [ready, notPaused], clock);
  const status = { ...changed.status, ready: true, initialization: { provisioned: true } };
  return { ...changed, status };
}

type Reason = Exclude<ReasonOf<"NestedCluster">, "Ready" | "Paused" | "NotPaused">;

const messages: Readonly<Record<Reason, string>> = {
  WaitingForOwner: "no Cluster owns this object yet",
  WaitingForControlPlane: "the NestedControlPlane that the Cluster names is not there yet",
  WaitingForEndpoint: "the control plane does not know yet where it is reached",
  ControlPlaneMissing:
    "neither the Cluster nor this object names a NestedControlPlane; set spec.controlPlaneRef",
};

/** What was provisioned once stays so: Cluster API asks for that only in the beginning. */
async function fail(
  cluster: NestedCluster,
  reason: Reason,
  { commit, clock }: ClusterDependencies,
): Promise<Result> {
  const statement = { type: "Ready", status: "False", reason, message: messages[reason] } as const;
  const changed = withConditions(cluster, [statement, notPaused], clock);
  await commit(cluster, { ...changed, status: { ...changed.status, ready: false } });
  return done;
}

async function pause(
  cluster: NestedCluster,
  { commit, clock }: ClusterDependencies,
): Promise<Result> {
  await commit(cluster, withConditions(cluster, [paused], clock));
  return done;
}
