import type { VSphereClusterIdentity } from "@rookery/api";
import { createDiscovery, createRestMapper } from "@rookery/client";
import { clusterKind, machineKind } from "@rookery/cluster-api";
import { type Provider, serveWebhooks } from "@rookery/runtime";
import { indexUsers } from "./claims/held-identities.ts";
import { IdentityUsers } from "./claims/identity-users.ts";
import { createClusterController } from "./cluster/controller.ts";
import type { OwnCredentials } from "./credentials/resolve-identity.ts";
import { watchSecretMetadata } from "./credentials/secret-metadata.ts";
import type { ServerRules } from "./credentials/server-rules.ts";
import type { TenantNetwork } from "./credentials/tenant-networks.ts";
import { createIdentityController } from "./identity/controller.ts";
import { createMachineController } from "./machine/controller.ts";
import { createMachineTemplateController } from "./machine-template/controller.ts";
import { createSessionMetrics } from "./metrics.ts";
import { identities } from "./resources.ts";
import { createIdentitySecretController, createSecretController } from "./secret/controller.ts";
import { FailureLog } from "./sessions/failure-log.ts";
import { SessionManager } from "./sessions/session-manager.ts";
import { createVmController } from "./vm/controller.ts";
import { vsphereWebhooks } from "./webhooks/webhooks.ts";

export interface VSphereOptions extends ServerOptions {
  /** The namespace of the Secrets of identities: the instance's own. */
  readonly credentialsNamespace: string;
  /** The namespace that all instances shared before; read where the own one has no Secret. */
  readonly formerCredentialsNamespace?: string | undefined;
  /** The manager's own namespace, whose Secrets are guarded as well; the same where absent. */
  readonly managerNamespace?: string;
  /** The controller's own credentials, for clusters that name none. */
  readonly own?: OwnCredentials | undefined;
  /** PEM of authorities that sign the certificates of vCenters. */
  readonly ca?: string | undefined;
  /** True lets a VSphereVM name any virtual machine that its account sees; false those of its namespace. */
  readonly adoptVirtualMachines?: boolean;
  /** How long a session is believed to be alive without asking its vCenter, in milliseconds. 60 s. */
  readonly keepAlive?: number;
  /** How many VSphereClusters are reconciled at a time. 10. */
  readonly clusterConcurrency?: number;
  /** How many VSphereMachines are reconciled at a time. 10. */
  readonly machineConcurrency?: number;
  /** How many VSphereVMs are reconciled at a time. 10. */
  readonly vmConcurrency?: number;
}

/** The flags that decide which servers may be used. */
interface ServerOptions {
  /** The vCenters of the installation, which identities without `allowedServers` may be used with. */
  readonly vcenterServers?: readonly string[];
  /** True lets such identities be used with any server. */
  readonly identitiesAnyServer?: boolean;
  /** The networks of servers that tenants name and nobody lists; any but special addresses where absent. */
  readonly tenantNetworks?: readonly TenantNetwork[];
  /** Addresses that such servers may not have either, such as that of the API server. */
  readonly refusedAddresses?: readonly string[];
}

export interface VSphereWebhookOptions extends ServerOptions {
  readonly own?: OwnCredentials | undefined;
  /** The Service that API servers call. */
  readonly service: string;
  /** The ValidatingWebhookConfiguration that takes the authorities. */
  readonly configuration: string;
}

/** Serves the webhooks of the provider by its flags, with a certificate of their own. */
export function setupVSphereWebhooks(
  provider: Pick<Provider, "client" | "cache" | "addWebhooks">,
  { service, configuration, ...options }: VSphereWebhookOptions,
): void {
  const { client, cache } = provider;
  const webhooks = vsphereWebhooks({ client, cache, servers: serverRules(options) });
  serveWebhooks(provider, { service, validating: configuration, webhooks });
}

function serverRules({
  own,
  vcenterServers = [],
  identitiesAnyServer = false,
  tenantNetworks = [],
  refusedAddresses = [],
}: ServerOptions & Pick<VSphereOptions, "own">): ServerRules {
  return {
    listed: async () => [...vcenterServers, ...((await own?.servers()) ?? [])],
    isAnyServerAllowed: identitiesAnyServer,
    tenantNetworks,
    refusedAddresses,
  };
}

type Parts = Pick<Provider, "client" | "cache" | "manager" | "metrics" | "logger">;

/**
 * Adds the controllers of the provider to a manager. Dispose of the sessions, which they share, when the manager has
 * stopped.
 */
export async function setupVSphere(
  parts: Parts,
  {
    clusterConcurrency = 10,
    machineConcurrency = 10,
    vmConcurrency = 10,
    ...options
  }: VSphereOptions,
): Promise<SessionManager> {
  const { client, cache, manager, metrics, logger } = parts;
  const mapper = createRestMapper(createDiscovery(client.handler));
  const ownerClusters = await mapper.resourceForKind(clusterKind);
  const ownerMachines = await mapper.resourceForKind(machineKind);
  const { keepAlive, credentialsNamespace, formerCredentialsNamespace } = options;
  const sessions = new SessionManager({
    logger,
    metrics: createSessionMetrics(metrics),
    ...(keepAlive !== undefined && { livenessMs: keepAlive }),
  });
  const shared = {
    ...options,
    ...parts,
    ownerClusters,
    sessions,
    failures: new FailureLog(logger),
    secretMetadata: watchSecretMetadata({
      ...parts,
      credentialsNamespace,
      formerCredentialsNamespace,
    }),
    identityUsers: new IdentityUsers(client.resource<VSphereClusterIdentity>(identities)),
    servers: serverRules(options),
    clock: () => new Date(),
  };
  indexUsers(cache);
  manager.add(createIdentityController(shared));
  manager.add(createSecretController(shared));
  manager.add(createIdentitySecretController(shared));
  manager.add(createClusterController(shared, clusterConcurrency));
  manager.add(createVmController(shared, vmConcurrency));
  manager.add(createMachineController({ ...shared, ownerMachines }, machineConcurrency));
  manager.add(createMachineTemplateController(shared));
  return sessions;
}
