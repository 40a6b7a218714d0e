import type { Provider } from "@rookery/api";
import type { ProviderKind } from "@rookery/components";
import {
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  type Informer,
  type Logger,
  type Metrics,
  type Source,
} from "@rookery/runtime";
import { reconcileProvider } from "./reconcile.ts";
import type { ProviderDependencies } from "./scope.ts";

export interface ProviderControllerOptions {
  readonly kind: ProviderKind;
  readonly informer: Informer<Provider>;
  /** What happens elsewhere and concerns a provider of the kind. */
  readonly heard: Source;
  readonly dependencies: ProviderDependencies;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Reconciles the providers of one kind; those of all kinds are reconciled alike. */
export function createProviderController(options: ProviderControllerOptions): Controller {
  const { kind, informer, heard, dependencies } = options;
  const name = kind.toLowerCase();
  return createController({
    name,
    maxConcurrentReconciles: options.concurrency,
    sources: [createInformerSource({ informer, handler: enqueueRequestForObject() }), heard],
    metrics: options.metrics.controller(name),
    logger: options.logger,
    reconcile: (request, signal) => reconcileProvider(request, dependencies, signal),
  });
}
