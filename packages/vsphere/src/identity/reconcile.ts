import { allowedNamespacesText, isSelectorValid, type VSphereClusterIdentity } from "@rookery/api";
import type { ConditionStatement } from "@rookery/kube";
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
import { usersOf } from "../claims/in-use.ts";
import { credentialsIn, isOwnedBy } from "../credentials/credential-secret.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import { otherInstances, withVerdict } from "../credentials/verdicts.ts";
import type { IdentityDependencies } from "./scope.ts";

/** How long other instances have to let go of their Secrets before an identity goes without them. */
const lettingGoMs = 60_000;
const identityFinalizer = "vsphereclusteridentity.infrastructure.cluster.x-k8s.io";

/** Finds out whether an identity can be used, and keeps it as long as somebody does. */
export async function reconcileIdentity(
  request: Request,
  dependencies: IdentityDependencies,
): Promise<Result> {
  const identity = await dependencies.getIdentity(request.name);
  if (!identity) return done;
  await dependencies.releaseUsers(identity, dependencies.goneUsers(identity));
  if (isBeingDeleted(identity)) return remove(identity, dependencies);
  if (!(await dependencies.isServed(identity))) return leave(identity, dependencies);
  if (!hasFinalizer(identity, identityFinalizer)) {
    await dependencies.commit(identity, withFinalizer(identity, identityFinalizer));
    return done;
  }
  const statement = await examine(identity, dependencies);
  await dependencies.commit(identity, stated(identity, statement, dependencies));
  return done;
}

/** Says of an identity why its reconcile failed, unless it is nothing that this instance has a say in. */
export function reportIdentityError(
  failed: FailedReconcile,
  dependencies: IdentityDependencies,
): Promise<void> {
  const report = createErrorReporter<VSphereClusterIdentity>({
    get: ({ name }) => dependencies.getIdentity(name),
    commit: dependencies.commit,
    withFinding: async (identity, failure) => {
      if (!(await dependencies.isServed(identity))) return identity;
      return stated(identity, { type: "Ready", ...failure }, dependencies);
    },
  });
  return report(failed);
}

async function examine(
  identity: VSphereClusterIdentity,
  dependencies: IdentityDependencies,
): Promise<ConditionStatement> {
  const { selector } = identity.spec.allowedNamespaces ?? {};
  if (selector && !isSelectorValid(selector)) {
    const message = "spec.allowedNamespaces.selector is not valid, and selects no namespace";
    return { type: "Ready", status: "False", reason: "InvalidSelector", message };
  }
  const name = secretNameOf(identity);
  const secret = await dependencies.getSecret(name);
  const where = `${secret?.metadata.namespace ?? dependencies.credentialsNamespace}/${name}`;
  if (!secret) return notReady(`there is no Secret ${where}`);
  if (!isOwnedBy(secret, identity)) {
    const other = await dependencies.otherOwner(identity, secret);
    if (other)
      return inUse(`the Secret ${where} belongs to ${other}; give each a Secret of its own`);
    const isOwned = await dependencies.ownSecret(identity, secret);
    if (!isOwned) return notReady(`there is no Secret ${where} any more`);
  }
  await releaseAllBut(identity, name, dependencies);
  if (credentialsIn(secret)) return { type: "Ready", status: "True", reason: "Ready", message: "" };
  return notReady(`the Secret ${where} must have the keys username and password, both not empty`);
}

async function remove(
  identity: VSphereClusterIdentity,
  dependencies: IdentityDependencies,
): Promise<Result> {
  const users = usersOf(identity.metadata);
  if (users > 0) {
    if (await dependencies.isServed(identity)) await sayInUse(identity, users, dependencies);
    return done;
  }
  // The Secret is the administrator's: without an owner the garbage collector leaves it.
  await releaseAllBut(identity, undefined, dependencies);
  const { credentialsNamespace, clock } = dependencies;
  const isAlone = otherInstances(identity, credentialsNamespace).length === 0;
  const waited = clock().getTime() - Date.parse(identity.metadata.deletionTimestamp ?? "");
  if (isAlone || waited >= lettingGoMs) {
    await dependencies.commit(identity, withoutFinalizer(identity, identityFinalizer));
    return done;
  }
  await dependencies.commit(identity, stated(identity, undefined, dependencies));
  return requeueAfter(Math.ceil((lettingGoMs - waited) / 1000));
}

async function sayInUse(
  identity: VSphereClusterIdentity,
  users: number,
  dependencies: IdentityDependencies,
): Promise<void> {
  const message = `${users} VSphereClusters use it; it goes when they are gone or use another`;
  const statement = { type: "Ready", status: "False", reason: "InUse", message } as const;
  await dependencies.commit(identity, stated(identity, statement, dependencies));
}

/** An identity that is not for the namespaces of this instance is nothing that it has a say in. */
async function leave(
  identity: VSphereClusterIdentity,
  dependencies: IdentityDependencies,
): Promise<Result> {
  const own = identity.status?.instances?.[dependencies.credentialsNamespace];
  if (own === undefined) return done;
  await releaseAllBut(identity, undefined, dependencies);
  await dependencies.commit(identity, stated(identity, undefined, dependencies));
  return done;
}

async function releaseAllBut(
  identity: VSphereClusterIdentity,
  name: string | undefined,
  dependencies: IdentityDependencies,
): Promise<void> {
  for (const owned of await dependencies.ownedSecrets(identity)) {
    if (owned.metadata.name !== name) await dependencies.releaseSecret(identity, owned);
  }
}

function stated(
  identity: VSphereClusterIdentity,
  statement: ConditionStatement | undefined,
  { clock, credentialsNamespace: namespace }: IdentityDependencies,
): VSphereClusterIdentity {
  const allowedNamespaces = allowedNamespacesText(identity.spec.allowedNamespaces);
  const judged = withVerdict(identity, { namespace, statement }, clock);
  return { ...judged, status: { ...judged.status, allowedNamespaces } };
}

function notReady(message: string): ConditionStatement {
  return { type: "Ready", status: "False", reason: "SecretNotAvailable", message };
}

function inUse(message: string): ConditionStatement {
  return { type: "Ready", status: "False", reason: "SecretAlreadyInUse", message };
}
