import { allowedNamespacesText, type VSphereClusterIdentity } from "@rookery/api";
import { type Finding, isFalse } from "@rookery/kube";
import { createLifecycle, type Outcome, requeueAfter } from "@rookery/runtime";
import { otherInstances, withVerdict } from "../credentials/verdicts.ts";
import { usersOf } from "../in-use.ts";
import { examine } from "./phases/examine.ts";
import { releaseAllBut, releaseGoneUsers } from "./phases/release.ts";
import type { IdentityScope } from "./scope.ts";

/** The time that other instances have to release their Secrets before an identity is removed without them. */
const releaseTimeoutMs = 60_000;

/** Checks whether an identity can be used, and keeps it while clusters use it. Its owner is whether it is served. */
export const identityLifecycle = createLifecycle<VSphereClusterIdentity, IdentityScope, true>({
  finalizer: "vsphereclusteridentity.infrastructure.cluster.x-k8s.io",
  awaitsFinalizer: true,
  removesUnheld: true,
  owner: async (identity, { isServed }) => (await isServed(identity)) || undefined,
  whenUnowned: leave,
  provision,
  remove,
  errors: {
    withFinding: async (identity, finding, scope) =>
      (await scope.isServed(identity)) ? report(identity, finding, scope) : identity,
  },
});

async function provision(
  identity: VSphereClusterIdentity,
  scope: IdentityScope,
): Promise<Outcome<VSphereClusterIdentity>> {
  await releaseGoneUsers(identity, scope);
  return { object: report(identity, await examine(identity, scope), scope) };
}

async function remove(
  identity: VSphereClusterIdentity,
  scope: IdentityScope,
  isServed: true | undefined,
): Promise<Outcome<VSphereClusterIdentity> | "removed"> {
  await releaseGoneUsers(identity, scope);
  const users = usersOf(identity.metadata);
  if (users > 0) {
    const message = `${users} VSphereClusters use it; it goes when they are gone or use another`;
    return { object: isServed ? report(identity, isFalse("InUse", message), scope) : identity };
  }
  // The Secret is the administrator's: without an owner the garbage collector leaves it.
  await releaseAllBut(identity, undefined, scope);
  const isAlone = otherInstances(identity, scope.credentialsNamespace).length === 0;
  const waited = scope.clock().getTime() - Date.parse(identity.metadata.deletionTimestamp ?? "");
  if (isAlone || waited >= releaseTimeoutMs) return "removed";
  const result = requeueAfter(Math.ceil((releaseTimeoutMs - waited) / 1000));
  return { object: report(identity, undefined, scope), result };
}

/** Removes what this instance wrote on an identity that is no longer for its namespaces. */
async function leave(
  identity: VSphereClusterIdentity,
  scope: IdentityScope,
): Promise<Outcome<VSphereClusterIdentity>> {
  await releaseGoneUsers(identity, scope);
  const own = identity.status?.instances?.[scope.credentialsNamespace];
  if (own === undefined) return { object: identity };
  await releaseAllBut(identity, undefined, scope);
  return { object: report(identity, undefined, scope) };
}

/** The identity with the verdict of this instance; without a finding, with none. */
function report(
  identity: VSphereClusterIdentity,
  finding: Finding | undefined,
  { clock, credentialsNamespace: namespace }: IdentityScope,
): VSphereClusterIdentity {
  const allowedNamespaces = allowedNamespacesText(identity.spec.allowedNamespaces);
  const judged = withVerdict(identity, { namespace, finding }, clock);
  return { ...judged, status: { ...judged.status, allowedNamespaces } };
}
