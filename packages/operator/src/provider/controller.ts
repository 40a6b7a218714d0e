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

interface ProviderControllerOptions {
  readonly informer: Informer<Provider>;
  readonly source: Source;
  readonly concurrency: number;
}

export function createProviderController(
  parts: ProviderParts,
  { informer, source, concurrency }: ProviderControllerOptions,
): Controller {
  const { client, cache } = parts;
  const { resource } = informer;
  const ownWrites = withOwnWrites<Provider>({
    get: (key) => cache.get(resource, key),
    commit: createResourceCommitter(client.resource<Provider>(resource)),
  });
  return controllerFor(informer, parts, { concurrency })
    .from(source)
    .reconcile(providerLifecycle, (context) => reconcileScope(context, { ...parts, ownWrites }));
}
