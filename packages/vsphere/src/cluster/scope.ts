import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import type { Clock, KubeObject } from "@rookery/kube";
import type { CredentialSecret } from "../credentials/credential-secret.ts";
import type { IdentitySources } from "../credentials/resolve-identity.ts";
import type { FailureLog } from "../sessions/failure-log.ts";
import type { ScopedSessions } from "../sessions/session-manager.ts";

/** What one reconcile of a VSphereCluster needs of the world. */
export interface ClusterDependencies {
  readonly getCluster: (key: Key) => Promise<VSphereCluster | undefined>;
  /** The Cluster that owns it; undefined where there is none yet. */
  readonly getOwner: (cluster: VSphereCluster) => Promise<OwnerCluster | undefined>;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: (original: VSphereCluster, desired: VSphereCluster) => Promise<VSphereCluster>;
  readonly identitySources: IdentitySources;
  /** Identities that are held for the cluster, whether it still names them or not. */
  readonly heldIdentities: (cluster: Key) => Promise<readonly VSphereClusterIdentity[]>;
  readonly holdIdentity: (
    cluster: VSphereCluster,
    identity: VSphereClusterIdentity,
  ) => Promise<void>;
  readonly releaseIdentity: (cluster: Key, identity: VSphereClusterIdentity) => Promise<void>;
  /** Secrets that the cluster owns, whether it still names them or not; of each the metadata. */
  readonly ownedSecrets: (cluster: VSphereCluster) => Promise<readonly KubeObject[]>;
  /** False where the Secret that was read is no longer there. Throws a conflict where it was changed. */
  readonly ownSecret: (cluster: VSphereCluster, secret: CredentialSecret) => Promise<boolean>;
  readonly releaseSecret: (cluster: VSphereCluster, secret: KubeObject) => Promise<void>;
  /** How many virtual machines of the cluster there still are. */
  readonly countMachines: (cluster: VSphereCluster) => Promise<number>;
  readonly sessions: ScopedSessions;
  readonly failures: Pick<FailureLog, "failed" | "forget">;
  /** PEM of authorities that sign the certificates of vCenters. */
  readonly ca: string | undefined;
  readonly clock: Clock;
}

interface Key {
  readonly namespace?: string;
  readonly name: string;
}
