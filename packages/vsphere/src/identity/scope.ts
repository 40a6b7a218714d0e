import type { VSphereClusterIdentity } from "@rookery/api";
import type { Clock, KubeObject } from "@rookery/kube";
import type { CredentialSecret } from "../credentials/credential-secret.ts";

/** What one reconcile of a VSphereClusterIdentity needs of the world. */
export interface IdentityDependencies {
  readonly getIdentity: (name: string) => Promise<VSphereClusterIdentity | undefined>;
  readonly commit: (
    original: VSphereClusterIdentity,
    desired: VSphereClusterIdentity,
  ) => Promise<VSphereClusterIdentity>;
  /** From the namespace of credentials, else from the former one, and from no other. */
  readonly getSecret: (name: string) => Promise<CredentialSecret | undefined>;
  /**
   * So that the Secret is moved together with the identity. False where the Secret that was read is no
   * longer there; throws a conflict where it was changed.
   */
  readonly ownSecret: (
    identity: VSphereClusterIdentity,
    secret: CredentialSecret,
  ) => Promise<boolean>;
  /** Who uses the Secret as their own, such as "the VSphereCluster a": as the server knows them. */
  readonly otherOwner: (
    identity: VSphereClusterIdentity,
    secret: CredentialSecret,
  ) => Promise<string | undefined>;
  /** Secrets that the identity owns, whether it still names them or not; of each the metadata. */
  readonly ownedSecrets: (identity: VSphereClusterIdentity) => Promise<readonly KubeObject[]>;
  readonly releaseSecret: (identity: VSphereClusterIdentity, secret: KubeObject) => Promise<void>;
  /** What clusters hold it with that are gone, as far as this instance can know. */
  readonly goneUsers: (identity: VSphereClusterIdentity) => readonly string[];
  /** Lets go of the identity in their name: they have not done so. */
  readonly releaseUsers: (
    identity: VSphereClusterIdentity,
    gone: readonly string[],
  ) => Promise<void>;
  readonly credentialsNamespace: string;
  /** Whether the instance watches a namespace that may use the identity. */
  readonly isServed: (identity: VSphereClusterIdentity) => Promise<boolean>;
  readonly clock: Clock;
}
