import type { Provider } from "@rookery/api";
import {
  type Controller,
  controllerFor,
  createResourceCommitter,
  type Informer,
  type Source,
  withOwnWrites,
} from "@rookery/runtime";
import type { ProviderParts } from "../parts.ts";
import { providerLifecycle } from "./reconcile.ts";
import { reconcileScope } from "./scope.ts";

export interface ProviderControllerOptions {
  readonly informer: Informer<Provider>;
  /** What happens elsewhere and concerns a provider of the kind. */
  readonly heard: Source;
  readonly concurrency: number;
}

/** Reconciles the providers of one kind; those of all kinds are reconciled alike. */
export function createProviderController(
  parts: ProviderParts,
  { informer, heard, concurrency }: ProviderControllerOptions,
): Controller {
  const { client, cache } = parts;
  const { resource } = informer;
  const ownWrites = withOwnWrites<Provider>({
    get: (key) => cache.get(resource, key),
    commit: createResourceCommitter(client.resource<Provider>(resource)),
  });
  return controllerFor(informer, parts, { concurrency })
    .from(heard)
    .reconcile(providerLifecycle, (context) => reconcileScope(context, { ...parts, ownWrites }));
}
