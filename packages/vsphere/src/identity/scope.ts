import { isNamespaceAllowed, type VSphereClusterIdentity } from "@rookery/api";
import { type Clock, type KubeObject, ownerReferenceTo } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { claim, fieldManager, release } from "../claims/claim.ts";
import { goneUsers } from "../claims/held-identities.ts";
import { otherOwner } from "../claims/other-owner.ts";
import type { CredentialSecret } from "../credentials/credential-secret.ts";
import { identitySources } from "../credentials/identity-sources.ts";
import { identitySecret } from "../credentials/resolve-identity.ts";
import { isCredentialsNamespace, ownedIn } from "../credentials/secret-metadata.ts";
import type { VSphereParts } from "../parts.ts";
import { namespaces, secrets } from "../resources.ts";

/** What one reconcile of a VSphereClusterIdentity needs. */
export interface IdentityScope extends LifecycleScope<VSphereClusterIdentity>, IdentitySecrets {
  /** The finalizers of clusters that are gone, where this instance watches all clusters. */
  readonly goneUsers: (identity: VSphereClusterIdentity) => readonly string[];
  /** Removes these finalizers from the identity. */
  readonly releaseUsers: (
    identity: VSphereClusterIdentity,
    gone: readonly string[],
  ) => Promise<void>;
  readonly credentialsNamespace: string;
  /** Whether the instance watches a namespace that may use the identity. */
  readonly isServed: (identity: VSphereClusterIdentity) => Promise<boolean>;
  readonly clock: Clock;
}

/** Reads and claims the Secrets of identities. */
interface IdentitySecrets {
  /** Reads from the namespace of credentials, else from the former one, and from no other. */
  readonly getSecret: (name: string) => Promise<CredentialSecret | undefined>;
  /**
   * Makes the identity an owner of the Secret, so that both are moved together. False where the Secret that was
   * read is gone; throws a conflict where the Secret changed.
   */
  readonly ownSecret: (
    identity: VSphereClusterIdentity,
    secret: CredentialSecret,
  ) => Promise<boolean>;
  /** Reads from the server who else owns the Secret, such as "the VSphereCluster a". */
  readonly otherOwner: (
    identity: VSphereClusterIdentity,
    secret: CredentialSecret,
  ) => Promise<string | undefined>;
  /** The metadata of Secrets that the identity owns, whether its spec names them or not. */
  readonly ownedSecrets: (identity: VSphereClusterIdentity) => Promise<readonly KubeObject[]>;
  readonly releaseSecret: (identity: VSphereClusterIdentity, secret: KubeObject) => Promise<void>;
}

type Context = ReconcileContext<VSphereClusterIdentity>;

export function identityScope(context: Context, parts: VSphereParts): IdentityScope {
  const { signal, cache, get, commit } = context;
  const { credentialsNamespace, identityUsers, clock } = parts;
  return {
    get,
    commit,
    ...identitySecrets(context, parts),
    goneUsers: (identity) => goneUsers(cache, identity),
    releaseUsers: (identity, gone) => identityUsers.remove(identity, gone, signal),
    credentialsNamespace,
    isServed: (identity) => isServed(identity, context),
    clock,
  };
}

function identitySecrets(context: Context, parts: VSphereParts): IdentitySecrets {
  const { client } = context;
  const secretClient = client.resource<KubeObject>(secrets);
  // Identities may share a Secret, so each has a field manager of its own.
  const by = ({ metadata }: VSphereClusterIdentity) => `${fieldManager}-${metadata.uid}`;
  return {
    getSecret: (name) => identitySecret(name, identitySources(context, parts)),
    ownSecret: async (identity, secret) => {
      const owner = ownerReferenceTo(identity);
      const claimed = claim(secretClient, secret, { by: by(identity), owner, isSeen: true });
      return (await claimed) !== undefined;
    },
    otherOwner: (identity, secret) => otherOwner(client, identity, secret),
    // The informer may hold other namespaces, too, whose users write owner references as they like.
    ownedSecrets: async (identity) =>
      ownedIn(parts.secretMetadata.credentials, identity).filter(({ metadata }) =>
        isCredentialsNamespace(metadata.namespace, parts),
      ),
    releaseSecret: (identity, secret) =>
      release(secretClient, secret, { by: by(identity), ownerUid: identity.metadata.uid }),
  };
}

/** An instance that watches all namespaces, or all but some, serves every identity: a namespace may be made later. */
async function isServed(
  { spec }: VSphereClusterIdentity,
  { cache }: Pick<Context, "cache">,
): Promise<boolean> {
  const { scope } = cache;
  if (scope.type !== "namespaces") return true;
  const watched = await Promise.all(
    scope.namespaces.map((name) => cache.get<KubeObject>(namespaces, { name })),
  );
  return watched.some((one) => one && isNamespaceAllowed(spec.allowedNamespaces, one.metadata));
}
