import type { Clock, Resource } from "@rookery/kube";
import type { IdentityUsers } from "./claims/identity-users.ts";
import type { OwnCredentials } from "./credentials/resolve-identity.ts";
import type { CredentialsPlaces, SecretMetadata } from "./credentials/secret-metadata.ts";
import type { ServerRules } from "./credentials/server-rules.ts";
import type { FailureLog } from "./sessions/failure-log.ts";
import type { SessionManager } from "./sessions/session-manager.ts";

/** The parts that the controllers share. */
export interface VSphereParts extends CredentialsPlaces {
  /** The Clusters of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  readonly sessions: SessionManager;
  readonly failures: FailureLog;
  readonly secretMetadata: SecretMetadata;
  readonly identityUsers: IdentityUsers;
  /** The manager's own namespace; the namespace of credentials by default. */
  readonly managerNamespace?: string;
  /** The controller's own credentials, for clusters that name none. */
  readonly own?: OwnCredentials | undefined;
  /** The rules for servers. */
  readonly servers: ServerRules;
  /** PEM of authorities that sign the certificates of vCenters. */
  readonly ca?: string | undefined;
  readonly clock: Clock;
}
