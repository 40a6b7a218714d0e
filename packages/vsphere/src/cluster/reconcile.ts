import type { VSphereCluster } from "@rookery/api";
import { isPaused, notPaused, paused } from "@rookery/cluster-api";
import { type ConditionStatement, type Finding, objectKeyOf, withConditions } from "@rookery/kube";
import {
  createErrorReporter,
  done,
  type FailedReconcile,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  type Result,
  requeueAfter,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { withConnection } from "../credentials/kept-server.ts";
import type { ResolvedIdentity } from "../credentials/resolve-identity.ts";
import type { ServerUse } from "../credentials/server-rules.ts";
import { IdentityError } from "../errors.ts";
import { failureOf, isConnectionError, type KnownServer } from "../failures.ts";
import { holderOf } from "./holder.ts";
import { claimIdentity, releaseIdentities } from "./phases/claim-identity.ts";
import { connect } from "./phases/connect.ts";
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

/** Says of a cluster why its reconcile failed. */
export function reportClusterError(
  failure: FailedReconcile,
  dependencies: ClusterDependencies,
): Promise<void> {
  const report = createErrorReporter<VSphereCluster>({
    get: dependencies.getCluster,
    commit: dependencies.commit,
    withFinding: (cluster, statement) => failed(cluster, statement, dependencies),
    findingOf: (error, { spec }) =>
      failureOf(error, { server: spec?.server ?? "", isListed: false }),
  });
  return report(failure);
}

/** Of a cluster that went without a word, as one does that is moved elsewhere. */
async function forget(request: Request, dependencies: ClusterDependencies): Promise<Result> {
  dependencies.sessions.release(holderOf(request));
  dependencies.failures.forget(holderOf(request));
  for (const held of await dependencies.heldIdentities(request)) {
    await dependencies.releaseIdentity(request, held);
  }
  return done;
}

async function provision(
  cluster: VSphereCluster,
  dependencies: ClusterDependencies,
): Promise<Result> {
  const holder = holderOf(objectKeyOf(cluster));
  let known: KnownServer = { server: cluster.spec?.server ?? "", isListed: false };
  let current = cluster;
  try {
    const identity = await claimIdentity(cluster, dependencies);
    known = identity.use;
    current = await rememberKept(cluster, identity, dependencies);
    const { version } = await connect(current, identity, dependencies);
    dependencies.failures.forget(holder);
    await dependencies.commit(current, provisioned(current, { version, identity }, dependencies));
    return requeueAfter(livenessInterval);
  } catch (error) {
    const failure = failureOf(error, known);
    if (!failure) throw error;
    if (isConnectionError(error)) dependencies.failures.failed(holder, known.server, error);
    // Who may no longer be used is no longer used.
    if (error instanceof IdentityError) dependencies.sessions.release(holder);
    await dependencies.commit(current, failed(current, failure, dependencies));
    return failure.retryAfter === undefined ? done : requeueAfter(failure.retryAfter);
  }
}

/** That a server was used before is seen in conditions, which a failure changes: it is kept before. */
async function rememberKept(
  cluster: VSphereCluster,
  identity: ResolvedIdentity,
  { commit }: ClusterDependencies,
): Promise<VSphereCluster> {
  if (!identity.use.kept || cluster.status?.connection) return cluster;
  return commit(cluster, withConnection(cluster, identity));
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
  { version, identity }: { readonly version: string; readonly identity: ResolvedIdentity },
  dependencies: ClusterDependencies,
): VSphereCluster {
  const ready = { status: "True", reason: "Available", message: "" } as const;
  const statements = ["VCenterAvailable", "Ready"].map((type) => ({ type, ...ready }));
  const changed = withConditions(
    withConnection(cluster, identity),
    [...statements, serverStatement(identity.use), notPaused],
    dependencies.clock,
  );
  const status = { ...changed.status, ready: true, initialization: { provisioned: true } };
  return { ...changed, status: { ...status, vCenterVersion: version } };
}

/** Whether a new cluster could use the server, too. */
function serverStatement({ kept }: ServerUse): ConditionStatement {
  const type = "ServerAllowed";
  if (!kept) return { type, status: "True", reason: "Allowed", message: "" };
  return { type, status: "False", reason: "KeptFromBefore", message: kept };
}

/** What was provisioned once stays so: Cluster API asks for that only in the beginning. */
function failed(
  cluster: VSphereCluster,
  { reason, message }: Pick<Finding, "reason" | "message">,
  dependencies: ClusterDependencies,
): VSphereCluster {
  const isRefused = reason === "ServerNotAllowed";
  const refusal = { type: "ServerAllowed", status: "False", reason, message } as const;
  const statements = [...notReady(reason, message), ...(isRefused ? [refusal] : []), notPaused];
  const changed = withConditions(cluster, statements, dependencies.clock);
  return { ...changed, status: { ...changed.status, ready: false } };
}

function notReady(reason: string, message: string): ConditionStatement[] {
  return ["VCenterAvailable", "Ready"].map((type) => ({ type, status: "False", reason, message }));
}
