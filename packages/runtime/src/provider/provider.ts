import { type Client, createClient, loadConfig, type TransportOptions } from "@rookery/client";
import type { ObjectKey } from "@rookery/kube";
import { type Cache, createCache } from "../cache/cache.ts";
import { withoutManagedFields } from "../cache/transforms.ts";
import { OwnNamespaceError, UnsupportedFlagError } from "../errors.ts";
import { eventResource } from "../events/event.ts";
import { createEventBroadcaster, type EventRecorder } from "../events/event-broadcaster.ts";
import type { ProviderFlagValues } from "../flags/provider-flags.ts";
import { ping } from "../health/health-handler.ts";
import { createHealth, createHealthServer, type Health } from "../health/health-server.ts";
import { createLeaderElector } from "../leader-election/leader-elector.ts";
import { leaseResource } from "../leader-election/lease.ts";
import type { Logger } from "../logging/logger.ts";
import { createLogger } from "../logging/pino-logger.ts";
import type { LeaderElection } from "../manager/leader-election.ts";
import { createManager, type Manager } from "../manager/manager.ts";
import type { Runnable } from "../manager/runnable.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { createMetricsServer } from "../metrics/metrics-server.ts";
import { createProfilerServer } from "../profiler/profiler-server.ts";
import { detectOwnNamespace } from "../scope/own-namespace.ts";
import type { WebhookServer } from "../webhook/webhook-server.ts";
import { addWebhooks, type ProviderWebhooksOptions } from "./webhooks.ts";

export interface ProviderOptions {
  /** Names the lease, the user agent and who records events, such as "rookery-vsphere". */
  readonly name: string;
  readonly flags: ProviderFlagValues;
  readonly logger?: Logger;
  /** Interceptors and the like for the client. */
  readonly transport?: TransportOptions;
}

/** What a provider is made of, ready for its controllers and webhooks to be added. */
export interface Provider {
  readonly client: Client;
  readonly cache: Cache;
  readonly manager: Manager;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  /** Undefined outside of a cluster, where POD_NAMESPACE is not set either. */
  readonly ownNamespace: string | undefined;
  /** Adds the webhook server that the flags describe; undefined where they ask for none. */
  addWebhooks(options: ProviderWebhooksOptions): WebhookServer | undefined;
  /** Runs the manager, then lets go of the connections. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Does what the flags of every provider say: connects, watches the namespaces in scope, elects a
 * leader, serves health, metrics and profiles. Rejects where the configuration can't be used.
 */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { name, flags } = options;
  const ownNamespace = await detectOwnNamespace();
  refuse(flags, ownNamespace);
  const logger = options.logger ?? createLogger({ verbosity: flags.v });
  const metrics = createMetrics();
  const client = await connect(options, metrics);
  const scoped = { client, scope: flags.scope, ownNamespace, resyncPeriod: flags.syncPeriod };
  const cache = createCache({ ...scoped, transform: withoutManagedFields, logger });
  const lease = { namespace: ownNamespace ?? "", name };
  const leaderElection = flags.leaderElect && elect(flags, lease, { client, metrics, logger });
  const manager = createManager({ ...(leaderElection && { leaderElection }), logger });
  const health = createHealth({ logger });
  health.addHealthzCheck("ping", ping);
  health.addReadyzCheck("ping", ping);
  const events = createEventBroadcaster({ events: client.resource(eventResource), logger });
  for (const runnable of [cache, events, ...servers(flags, { health, metrics, logger })]) {
    manager.add(runnable);
  }
  const recorder = events.recorder(`rookery.dev/${name}`);
  const run = (signal: AbortSignal) => manager.start(signal).finally(() => client.destroy());
  const parts = { client, cache, manager, health, metrics, logger, recorder, ownNamespace };
  return { ...parts, addWebhooks: (webhooks) => addWebhooks(parts, flags, webhooks), run };
}

/** What is asked for and can't be had is refused before anything is started. */
function refuse(flags: ProviderFlagValues, ownNamespace: string | undefined): void {
  if (flags.apiGroupSuffix !== "") throw new UnsupportedFlagError("--api-group-suffix");
  if (flags.leaderElect && ownNamespace === undefined)
    throw new OwnNamespaceError("--leader-elect");
}

async function connect(options: ProviderOptions, metrics: Metrics): Promise<Client> {
  const { name, flags, transport } = options;
  const config = await loadConfig({
    ...(flags.kubeconfig && { path: flags.kubeconfig }),
    ...(flags.context && { context: flags.context }),
  });
  const trace = metrics.restClient(new URL(config.server).host);
  return createClient(config, { userAgent: name, trace, ...transport });
}

type Parts = Pick<Provider, "client" | "metrics" | "logger">;

function elect(
  flags: ProviderFlagValues,
  lease: Required<ObjectKey>,
  { client, metrics, logger }: Parts,
): LeaderElection {
  return createLeaderElector({
    leases: client.resource(leaseResource),
    lease,
    leaseDuration: flags.leaderElectLeaseDuration,
    renewDeadline: flags.leaderElectRenewDeadline,
    retryPeriod: flags.leaderElectRetryPeriod,
    metrics: metrics.leaderElection(lease.name),
    logger,
  });
}

function servers(
  flags: ProviderFlagValues,
  parts: Pick<Provider, "health" | "metrics" | "logger">,
): Runnable[] {
  const { healthAddr, metricsBindAddress, profilerAddress } = flags;
  const { logger } = parts;
  return [
    healthAddr && createHealthServer({ ...parts, address: healthAddr }),
    metricsBindAddress && createMetricsServer({ ...parts, address: metricsBindAddress }),
    profilerAddress && createProfilerServer({ address: profilerAddress, logger }),
  ].filter((server) => server !== undefined);
}
