import type { VSphereClusterIdentity } from "@rookery/api";
import type { IdentityScope } from "../scope.ts";

/** Releases the identity for clusters that are gone: one that was deleted early could not do so itself. */
export async function releaseGoneUsers(
  identity: VSphereClusterIdentity,
  { goneUsers, releaseUsers }: IdentityScope,
): Promise<void> {
  await releaseUsers(identity, goneUsers(identity));
}

/** Releases all Secrets of an identity but the one of this name. */
export async function releaseAllBut(
  identity: VSphereClusterIdentity,
  name: string | undefined,
  { ownedSecrets, releaseSecret }: IdentityScope,
): Promise<void> {
  for (const owned of await ownedSecrets(identity)) {
    if (owned.metadata.name !== name) await releaseSecret(identity, owned);
  }
}
