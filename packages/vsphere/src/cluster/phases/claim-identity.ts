import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import {
  type CredentialSecret,
  isHeldFor,
  isOwnedBy,
} from "../../credentials/credential-secret.ts";
import { type ResolvedIdentity, resolveIdentity } from "../../credentials/resolve-identity.ts";
import { IdentityError } from "../../errors.ts";
import type { ClusterClaims } from "../claims.ts";
import type { ClusterScope } from "../scope.ts";

type Scope = ClusterClaims & Pick<ClusterScope, "identitySources">;

/**
 * Finds the account of the cluster, claims its identity or Secret, and releases those of before. The new one is claimed
 * first, so that the cluster is never without.
 * Errors: IdentityError.
 */
export async function claimIdentity(
  cluster: VSphereCluster,
  scope: Scope,
): Promise<ResolvedIdentity> {
  const resolved = await resolveIdentity(cluster, scope.identitySources);
  const { identity, secret } = resolved;
  if (identity) await hold(cluster, { ...resolved, identity }, scope);
  if (secret) await own(cluster, secret, scope);
  await releaseAllBut(cluster, resolved, scope);
  return resolved;
}

/**
 * Holds the identity, then its Secret: the machines cannot be deleted without either. A Secret that is being
 * deleted serves only clusters that held the identity before.
 * Errors: IdentityError.
 */
async function hold(
  cluster: VSphereCluster,
  {
    identity,
    identitySecret: secret,
  }: Pick<ResolvedIdentity, "identitySecret"> & { readonly identity: VSphereClusterIdentity },
  { heldIdentities, holdIdentity, keepSecret }: Scope,
): Promise<void> {
  const held = await heldIdentities(objectKeyOf(cluster));
  const isHeld = held.some(({ metadata }) => metadata.name === identity.metadata.name);
  const subject = `the Secret of the VSphereClusterIdentity ${identity.metadata.name}`;
  if (!isHeld && secret && isBeingDeleted(secret)) {
    throw new IdentityError("SecretNotAvailable", `${subject} is being deleted`);
  }
  if (!isHeld) await holdIdentity(cluster, identity);
  if (!secret || (await keepSecret(identity, secret))) return;
  throw new IdentityError("SecretNotAvailable", `${subject} is no longer there`);
}

/**
 * Owns and keeps the Secret: the machines of the cluster cannot be deleted without it. The Secret that was just read
 * shows whether it is owned: one that was created again under its name is not.
 * Errors: IdentityError; a conflict, where the Secret changed since it was read.
 */
async function own(
  cluster: VSphereCluster,
  secret: CredentialSecret,
  { ownSecret }: Scope,
): Promise<void> {
  const isOwned = isOwnedBy(secret, cluster);
  if (isOwned && isHeldFor(secret, cluster)) return;
  const { namespace, name } = secret.metadata;
  // The server accepts no new finalizer; an owner uses the Secret until it is gone.
  if (isBeingDeleted(secret)) {
    if (isOwned) return;
    const why = `the Secret ${namespace}/${name} is being deleted; name another in spec.identityRef`;
    throw new IdentityError("SecretNotAvailable", why);
  }
  if (await ownSecret(cluster, secret)) return;
  throw new IdentityError("SecretNotAvailable", `there is no Secret ${namespace}/${name} any more`);
}

/** Releases all identities and Secrets of the cluster. */
export function releaseIdentities(cluster: VSphereCluster, scope: Scope): Promise<void> {
  return releaseAllBut(cluster, {}, scope);
}

async function releaseAllBut(
  cluster: VSphereCluster,
  { identity, secret }: Pick<ResolvedIdentity, "identity" | "secret">,
  scope: Scope,
): Promise<void> {
  const key = objectKeyOf(cluster);
  for (const held of await scope.heldIdentities(key)) {
    if (held.metadata.name === identity?.metadata.name) continue;
    await scope.releaseIdentity(key, held);
  }
  for (const owned of await scope.ownedSecrets(cluster)) {
    if (owned.metadata.name === secret?.metadata.name) continue;
    await scope.releaseSecret(cluster, owned);
  }
}
