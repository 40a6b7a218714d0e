import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { type KubeObject, ownerReferenceTo } from "@rookery/kube";
import type { ReconcileContext, Request } from "@rookery/runtime";
import { claim, fieldManager, keepIdentitySecret, release } from "../claims/claim.ts";
import { heldFor } from "../claims/held-identities.ts";
import type { CredentialSecret } from "../credentials/credential-secret.ts";
import { identityNotFound } from "../credentials/resolve-identity.ts";
import { ownedIn, usedBy } from "../credentials/secret-metadata.ts";
import { inUseFinalizer } from "../in-use.ts";
import type { VSphereParts } from "../parts.ts";
import { secrets } from "../resources.ts";

/** Identities and Secrets that are held for a cluster, whether it still names them or not. */
export interface ClusterClaims {
  readonly heldIdentities: (cluster: Request) => Promise<readonly VSphereClusterIdentity[]>;
  readonly holdIdentity: (
    cluster: VSphereCluster,
    identity: VSphereClusterIdentity,
  ) => Promise<void>;
  readonly releaseIdentity: (cluster: Request, identity: VSphereClusterIdentity) => Promise<void>;
  /** Keeps the Secret of an identity while clusters use it. False where it is no longer there. */
  readonly keepSecret: (
    identity: VSphereClusterIdentity,
    secret: CredentialSecret,
  ) => Promise<boolean>;
  /** The metadata of the Secrets that the cluster owns or keeps. */
  readonly ownedSecrets: (cluster: VSphereCluster) => Promise<readonly KubeObject[]>;
  /** False where the Secret that was read is no longer there. Throws a conflict where it was changed. */
  readonly ownSecret: (cluster: VSphereCluster, secret: CredentialSecret) => Promise<boolean>;
  readonly releaseSecret: (cluster: VSphereCluster, secret: KubeObject) => Promise<void>;
}

export function clusterClaims(
  { client, cache, signal }: ReconcileContext<VSphereCluster>,
  parts: Pick<VSphereParts, "identityUsers" | "secretMetadata" | "credentialsNamespace">,
): ClusterClaims {
  const { identityUsers, secretMetadata, credentialsNamespace } = parts;
  const secretClient = client.resource<KubeObject>(secrets);
  // One field manager for all clusters: a Secret has one cluster, also where two claim it at once.
  const by = `${fieldManager}-clusters`;
  return {
    heldIdentities: async (cluster) => heldFor(cache, cluster),
    holdIdentity: async ({ metadata }, identity) => {
      const isHeld = await identityUsers.add(identity, inUseFinalizer(metadata), signal);
      if (!isHeld) throw identityNotFound(identity.metadata.name);
    },
    releaseIdentity: (cluster, identity) =>
      identityUsers.remove(identity, [inUseFinalizer(cluster)], signal),
    keepSecret: (identity, secret) =>
      keepIdentitySecret(secretClient, secret, { identity, credentialsNamespace }),
    ownedSecrets: async (cluster) => [
      ...new Set([
        ...ownedIn(secretMetadata.watched, cluster),
        ...usedBy(secretMetadata.watched, cluster.metadata),
      ]),
    ],
    ownSecret: async (cluster, secret) => {
      const owner = ownerReferenceTo(cluster);
      const finalizer = inUseFinalizer(cluster.metadata);
      const claimed = claim(secretClient, secret, { by, owner, finalizer, isSeen: true });
      return (await claimed) !== undefined;
    },
    releaseSecret: ({ metadata }, secret) => {
      const finalizer = inUseFinalizer(metadata);
      return release(secretClient, secret, { by, ownerUid: metadata.uid, finalizer });
    },
  };
}
