import { type Client, createClient, loadConfig, type TransportOptions } from "@rookery/client";
import { builtInResources, type ObjectKey } from "@rookery/kube";
import { type Cache, createCache } from "../cache/cache.ts";
import { withoutManagedFields } from "../cache/transforms.ts";
import { OwnNamespaceError } from "../errors.ts";
import { eventResource } from "../events/event.ts";
import { createEventBroadcaster, type EventRecorder } from "../events/event-broadcaster.ts";
import type { ProviderFlagValues } from "../flags/provider-flags.ts";
import { createHealth, createHealthServer, type Health, ping } from "../health/health.ts";
import { LeaderElector } from "../leader-election/leader-elector.ts";
import type { Logger } from "../logging/logger.ts";
import { createLogger } from "../logging/pino-logger.ts";
import type { LeaderElection } from "../manager/manager.ts";
import { createManager, type Manager } from "../manager/manager.ts";
import type { Runnable } from "../manager/runnable.ts";
import { collectGarbageAtRest, collectStartGarbage } from "../memory/collect-garbage.ts";
import { createMetrics, createMetricsServer, type Metrics } from "../metrics/metrics.ts";
import { createProfilerServer } from "../profiler/profiler-server.ts";
import { detectOwnNamespace } from "../scope/own-namespace.ts";
import type { WebhookServer } from "../webhook/webhook-server.ts";
import {
  type ApiGroupOptions,
  type GroupRenaming,
  groupRenaming,
  renamedTransport,
} from "./group-renaming.ts";
import { addWebhooks, type ProviderWebhooksOptions } from "./webhooks.ts";

export interface ProviderOptions {
  /** The name of the lease, the user agent and the source of events, such as "rookery-vsphere". */
  readonly name: string;
  readonly flags: ProviderFlagValues;
  readonly logger?: Logger;
  /** Options for the client, such as interceptors. */
  readonly transport?: TransportOptions;
  /** The API groups that --api-group-suffix renames; without it, the flag is rejected. */
  readonly apiGroup?: ApiGroupOptions;
}

/** The parts of a provider, to which it adds its controllers and webhooks. */
export interface Provider {
  readonly client: Client;
  readonly cache: Cache;
  readonly manager: Manager;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  /** Undefined outside of a cluster without POD_NAMESPACE. */
  readonly ownNamespace: string | undefined;
  /** Adds the webhook server of the flags; undefined if they disable it. */
  addWebhooks(options: ProviderWebhooksOptions): WebhookServer | undefined;
  /** Runs the manager, then closes the connections. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Sets up a provider by its flags: connects, watches the namespaces in scope, elects a leader, serves health, metrics
 * and profiles. Rejects if the configuration is not valid.
 */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { name, flags } = options;
  const ownNamespace = await detectOwnNamespace();
  if (flags.leaderElect && !ownNamespace) throw new OwnNamespaceError("--leader-elect");
  const logger = options.logger ?? createLogger({ verbosity: flags.v });
  const onWarning = (text: string) => logger.info("Left a name of an API group as it is", { text });
  const renaming = await groupRenaming(flags.apiGroupSuffix, options.apiGroup, onWarning);
  const metrics = createMetrics();
  const client = await connect(options, renaming, metrics);
  const cache = createCache({
    client,
    scope: flags.scope,
    ownNamespace,
    resyncPeriod: flags.syncPeriod,
    transform: withoutManagedFields,
    logger,
  });
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
  const run = (signal: AbortSignal) => {
    void collectStartGarbage(signal);
    void collectGarbageAtRest(signal);
    return manager.start(signal).finally(() => client.destroy());
  };
  const parts = { client, cache, manager, health, metrics, logger, recorder, ownNamespace };
  const withRenaming = { ...parts, interceptors: renaming.webhooks };
  return { ...parts, addWebhooks: (webhooks) => addWebhooks(withRenaming, flags, webhooks), run };
}

async function connect(
  { name, flags, transport = {} }: ProviderOptions,
  renaming: GroupRenaming,
  metrics: Metrics,
): Promise<Client> {
  const config = await loadConfig({
    ...(flags.kubeconfig && { path: flags.kubeconfig }),
    ...(flags.context && { context: flags.context }),
  });
  const trace = metrics.restClient(new URL(config.server).host);
  return createClient(config, renamedTransport({ userAgent: name, trace, ...transport }, renaming));
}

type Parts = Pick<Provider, "client" | "metrics" | "logger">;

function elect(
  flags: ProviderFlagValues,
  lease: Required<ObjectKey>,
  { client, metrics, logger }: Parts,
): LeaderElection {
  return new LeaderElector({
    leases: client.resource(builtInResources.leases),
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

/**
 * Makes a replica ready when its caches are filled: before that it would lead, and answer webhooks, without knowing the
 * cluster.
 */
export function readyWithCaches({ health, manager, cache }: Provider): void {
  let isSynced = false;
  manager.add({
    name: "readiness",
    group: "others",
    async start(signal) {
      await cache.waitForReady?.(signal);
      isSynced = true;
    },
  });
  health.addReadyzCheck("caches", () => {
    if (!isSynced) throw new Error("the caches are not filled yet");
  });
}
