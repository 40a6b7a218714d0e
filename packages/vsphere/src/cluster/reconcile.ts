import type { VSphereCluster } from "@rookery/api";
import { type ConditionStatement, objectKeyOf } from "@rookery/kube";
import {
  done,
  hasFinalizer,
  isBeingDeleted,
  notPaused,
  paused,
  type Request,
  type Result,
  requeueAfter,
  withConditions,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { isPaused } from "../cluster-api/owners.ts";
import { IdentityError } from "../errors.ts";
import { holderOf } from "./holder.ts";
import { claimIdentity, releaseIdentities } from "./phases/claim-identity.ts";
import { connect } from "./phases/connect.ts";
import { type Failure, failureOf } from "./policies.ts";
import type { ClusterDependencies } from "./scope.ts";

const clusterFinalizer = "vspherecluster.infrastructure.cluster.x-k8s.io";

/** A vCenter that goes away is noticed within this time, in seconds. */
const livenessInterval = 300;

/** Brings what a VSphereCluster stands for to what it says. */
export async function reconcileCluster(
  request: Request,
  dependencies: ClusterDependencies,
): Promise<Result> {
  const cluster = await dependencies.getCluster(request);
  if (!cluster) return forget(request, dependencies);
  const owner = await dependencies.getOwner(cluster);
  if (isPaused(owner, cluster)) return pause(cluster, dependencies);
  if (isBeingDeleted(cluster)) return remove(cluster, dependencies);
  if (!owner) return wait(cluster, dependencies);
  if (!hasFinalizer(cluster, clusterFinalizer)) {
    await dependencies.commit(cluster, withFinalizer(cluster, clusterFinalizer));
    return done;
  }
  return provision(cluster, dependencies);
}

/** Of a cluster that went without a word, as one does that is moved elsewhere. */
async function forget(request: Request, dependencies: ClusterDependencies): Promise<Result> {
  dependencies.sessions.release(holderOf(request));
  for (const held of await dependencies.heldIdentities(request)) {
    await dependencies.releaseIdentity(request, held);
  }
  return done;
}

async function provision(
  cluster: VSphereCluster,
  dependencies: ClusterDependencies,
): Promise<Result> {
  try {
    const identity = await claimIdentity(cluster, dependencies);
    const { version } = await connect(cluster, identity.credentials, dependencies);
    await dependencies.commit(cluster, provisioned(cluster, version, dependencies));
    return requeueAfter(livenessInterval);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    // Who may no longer be used is no longer used.
    if (error instanceof IdentityError)
      dependencies.sessions.release(holderOf(objectKeyOf(cluster)));
    await dependencies.commit(cluster, failed(cluster, failure, dependencies));
    return failure.retryAfter === undefined ? done : requeueAfter(failure.retryAfter);
  }
}

async function remove(cluster: VSphereCluster, dependencies: ClusterDependencies): Promise<Result> {
  if (!hasFinalizer(cluster, clusterFinalizer)) return done;
  const machines = await dependencies.countMachines(cluster);
  if (machines > 0) {
    const message = `${machines} virtual machines of the cluster are still there`;
    const waiting = withConditions(cluster, notReady("Deleting", message), dependencies.clock);
    await dependencies.commit(cluster, waiting);
    return done;
  }
  await releaseIdentities(cluster, dependencies);
  dependencies.sessions.release(holderOf(objectKeyOf(cluster)));
  await dependencies.commit(cluster, withoutFinalizer(cluster, clusterFinalizer));
  return done;
}

async function wait(cluster: VSphereCluster, dependencies: ClusterDependencies): Promise<Result> {
  const message = "no Cluster owns this object yet";
  const waiting = withConditions(cluster, notReady("WaitingForOwner", message), dependencies.clock);
  await dependencies.commit(cluster, waiting);
  return done;
}

async function pause(cluster: VSphereCluster, dependencies: ClusterDependencies): Promise<Result> {
  await dependencies.commit(cluster, withConditions(cluster, [paused], dependencies.clock));
  return done;
}

function provisioned(
  cluster: VSphereCluster,
  vCenterVersion: string,
  dependencies: ClusterDependencies,
): VSphereCluster {
  const ready = { status: "True", reason: "Available", message: "" } as const;
  const statements = ["VCenterAvailable", "Ready"].map((type) => ({ type, ...ready }));
  const changed = withConditions(cluster, [...statements, notPaused], dependencies.clock);
  const status = { ...changed.status, ready: true, initialization: { provisioned: true } };
  return { ...changed, status: { ...status, vCenterVersion } };
}

/** What was provisioned once stays so: Cluster API asks for that only in the beginning. */
function failed(
  cluster: VSphereCluster,
  { reason, message }: Failure,
  dependencies: ClusterDependencies,
): VSphereCluster {
  const statements = [...notReady(reason, message), notPaused];
  const changed = withConditions(cluster, statements, dependencies.clock);
  return { ...changed, status: { ...changed.status, ready: false } };
}

function notReady(reason: string, message: string): ConditionStatement[] {
  return ["VCenterAvailable", "Ready"].map((type) => ({ type, status: "False", reason, message }));
}
