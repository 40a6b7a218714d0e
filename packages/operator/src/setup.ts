import {
  type ConfiguredProvider,
  type DownloaderOptions,
  type ImageOverrides,
  lookupIn,
} from "@rookery/components";
import type { Clock } from "@rookery/kube";
import type { Provider } from "@rookery/runtime";
import { defaultNamespace } from "./install/installation.ts";
import { createOperatorMetrics } from "./metrics/operator-metrics.ts";
import { createMigrationController } from "./migration/controller.ts";
import { createProviderParts } from "./parts.ts";
import { createProviderController } from "./provider/controller.ts";
import { EventMapping } from "./provider/event-mapping.ts";
import { StateSeal } from "./state/state-seal.ts";

export interface OperatorOptions {
  /** Variables of components that the Secret of a provider does not have: the environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** For all providers, in the form of clusterctl's configuration. */
  readonly imageOverrides?: ImageOverrides;
  /** Sources of providers from a configuration of clusterctl; for the migration. */
  readonly sources?: readonly ConfiguredProvider[];
  /** For components that are not in ConfigMaps. */
  readonly downloader?: DownloaderOptions;
  /** The image of the `rookery` command, for providers with an apiGroupSuffix. */
  readonly image?: string;
  /** The namespace of the operator, with the key that seals its records; rookery-system by default. */
  readonly namespace?: string;
  /** Concurrent reconciles for each kind; 10 by default. */
  readonly concurrency?: number;
  readonly clock?: Clock;
}

export type OperatorParts = Pick<
  Provider,
  "client" | "cache" | "manager" | "metrics" | "logger" | "recorder"
>;

export function setupOperator(parts: OperatorParts, options: OperatorOptions = {}): void {
  const { manager, client } = parts;
  const { environment = {}, imageOverrides = {}, downloader = {}, concurrency = 10 } = options;
  const { clock = () => new Date(), image, namespace = defaultNamespace } = options;
  const shared = { ...parts, imageOverrides, downloader, seal: new StateSeal(client, namespace) };
  const operatorMetrics = createOperatorMetrics(parts.metrics);
  const providerParts = createProviderParts({
    ...shared,
    environment,
    image,
    clock,
    operatorMetrics,
  });
  manager.add(providerParts.componentWatch.cache);
  const eventMapping = new EventMapping(providerParts);
  for (const informer of providerParts.providers) {
    const source = eventMapping.sourceFor(informer.resource.kind);
    manager.add(createProviderController(providerParts, { informer, source, concurrency }));
  }
  const { sources: providers = [] } = options;
  const variables = lookupIn(environment);
  manager.add(createMigrationController({ ...shared, variables, providers }));
}
