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
  /** In the form of clusterctl's configuration, for all providers. */
  readonly imageOverrides?: ImageOverrides;
  /** Where a configuration says that providers come from: those of clusterctl keep their source. */
  readonly sources?: readonly ConfiguredProvider[];
  /** How to fetch what is not in ConfigMaps. */
  readonly downloader?: DownloaderOptions;
  /** The image of the `rookery` command, for providers with an apiGroupSuffix. */
  readonly image?: string;
  /** Where the operator itself is, and keeps what it trusts what it remembers by. rookery-system. */
  readonly namespace?: string;
  /** How many providers of a kind are worked on at a time. 10. */
  readonly concurrency?: number;
  readonly clock?: Clock;
}

export type OperatorParts = Pick<
  Provider,
  "client" | "cache" | "manager" | "metrics" | "logger" | "recorder"
>;

/** Adds the controllers of the operator to a manager. */
export function setupOperator(parts: OperatorParts, options: OperatorOptions = {}): void {
  const { manager } = parts;
  const { environment = {}, imageOverrides = {}, downloader = {}, concurrency = 10 } = options;
  const { clock = () => new Date() } = options;
  const { image, namespace = defaultNamespace } = options;
  const seal = new StateSeal(parts.client, namespace);
  const given = { environment, imageOverrides, downloader, image, clock, seal };
  const operatorMetrics = createOperatorMetrics(parts.metrics);
  const providerParts = createProviderParts({ ...parts, ...given, operatorMetrics });
  manager.add(providerParts.componentWatch.cache);
  const eventMapping = new EventMapping(providerParts);
  for (const informer of providerParts.providers) {
    const heard = eventMapping.channelFor(informer.resource.kind).source;
    manager.add(createProviderController(providerParts, { informer, heard, concurrency }));
  }
  const variables = lookupIn(environment);
  const { sources: providers = [] } = options;
  const known = { downloader, variables, imageOverrides, providers };
  manager.add(createMigrationController({ ...parts, ...known, seal }));
}
