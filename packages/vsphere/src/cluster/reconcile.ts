import type { VSphereCluster } from "@rookery/api";
import { type OwnerCluster, whenPaused } from "@rookery/cluster-api";
import { isFalse, objectKeyOf } from "@rookery/kube";
import { createLifecycle, type Outcome, type Request, requeueAfter } from "@rookery/runtime";
import type { ResolvedIdentity } from "../credentials/resolve-identity.ts";
import { IdentityError } from "../errors.ts";
import { failureOf, isConnectionError, type KnownServer, retryOf } from "../failures.ts";
import { holderOf } from "../sessions/session.ts";
import { claimIdentity, releaseIdentities } from "./phases/claim-identity.ts";
import { connect } from "./phases/connect.ts";
import { failed, provisioned, rememberedServer, waiting } from "./report.ts";
import type { ClusterScope } from "./scope.ts";

/** A vCenter that goes away is noticed within this time, in seconds. */
const livenessInterval = 300;

/** Connects a VSphereCluster with its vCenter, and claims its identity. */
export const clusterLifecycle = createLifecycle<VSphereCluster, ClusterScope, OwnerCluster>({
  finalizer: "vspherecluster.infrastructure.cluster.x-k8s.io",
  awaitsFinalizer: true,
  forget,
  owner: (cluster, { getOwner }) => getOwner(cluster),
  whenPaused: (cluster, { clock }, owner) => whenPaused(cluster, owner, clock),
  whenUnowned: (cluster, { clock }) => ({
    object: waiting(cluster, isFalse("WaitingForOwner", "no Cluster owns this object yet"), clock),
  }),
  provision,
  remove,
  errors: {
    findingOf: (error, cluster) => failureOf(error, knownServerOf(cluster)),
    withFinding: (cluster, finding, { clock }) => failed(cluster, finding, clock),
  },
});

/** A cluster that is moved elsewhere goes without a deletion: what it held is released here. */
async function forget(request: Request, scope: ClusterScope): Promise<void> {
  scope.sessions.release(holderOf("VSphereCluster", request));
  scope.failures.forget(holderOf("VSphereCluster", request));
  for (const held of await scope.heldIdentities(request)) {
    await scope.releaseIdentity(request, held);
  }
}

async function provision(
  cluster: VSphereCluster,
  scope: ClusterScope,
): Promise<Outcome<VSphereCluster>> {
  let known = knownServerOf(cluster);
  let current = cluster;
  try {
    const identity = await claimIdentity(cluster, scope);
    known = identity.use;
    current = await rememberServer(cluster, identity, scope);
    const { version } = await connect(current, identity, scope);
    scope.failures.forget(holderOf("VSphereCluster", objectKeyOf(cluster)));
    const object = provisioned(current, { version, identity }, scope.clock);
    return { object, result: requeueAfter(livenessInterval) };
  } catch (error) {
    return fail(error, current, { ...scope, known });
  }
}

/** Whether a server was used before is read from conditions, which a failure changes: it is written first. */
async function rememberServer(
  cluster: VSphereCluster,
  identity: ResolvedIdentity,
  { commit }: ClusterScope,
): Promise<VSphereCluster> {
  const remembered = rememberedServer(cluster, identity);
  return remembered === cluster ? cluster : commit(cluster, remembered);
}

/** The outcome of a failure that the provider knows; throws all others. */
function fail(
  error: unknown,
  cluster: VSphereCluster,
  { known, failures, sessions, clock }: ClusterScope & { readonly known: KnownServer },
): Outcome<VSphereCluster> {
  const failure = failureOf(error, known);
  if (!failure) throw error;
  const holder = holderOf("VSphereCluster", objectKeyOf(cluster));
  if (isConnectionError(error)) failures.failed(holder, known.server, error);
  // An account that may no longer be used keeps no session.
  if (error instanceof IdentityError) sessions.release(holder);
  return { object: failed(cluster, failure, clock), result: retryOf(failure) };
}

async function remove(
  cluster: VSphereCluster,
  scope: ClusterScope,
): Promise<Outcome<VSphereCluster> | "removed"> {
  const machines = await scope.countMachines(cluster);
  if (machines > 0) {
    const message = `${machines} virtual machines of the cluster are still there`;
    return { object: waiting(cluster, isFalse("Deleting", message), scope.clock) };
  }
  await releaseIdentities(cluster, scope);
  scope.sessions.release(holderOf("VSphereCluster", objectKeyOf(cluster)));
  return "removed";
}

function knownServerOf({ spec }: VSphereCluster): KnownServer {
  return { server: spec?.server ?? "", isListed: false };
}
