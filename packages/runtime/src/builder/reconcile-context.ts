import { type Client, withSignal } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import type { Cache } from "../cache/cache.ts";
import type { Informer } from "../cache/informer.ts";
import { createResourceCommitter } from "../committer/committer.ts";
import type { Request } from "../controller/request.ts";
import type { LifecycleScope } from "../lifecycle/steps.ts";
import type { Logger } from "../logging/logger.ts";
import type { Provider } from "../provider/provider.ts";

/** The parts of a provider that every controller needs. */
export type ControllerParts = Pick<Provider, "client" | "cache" | "metrics" | "logger">;

/** A cache whose reads end with one reconcile. */
export type ReconcileCache = Pick<Cache, "get" | "list" | "informerFor" | "scope">;

/**
 * The context of one reconcile, from which scopes are made. All requests to the API server, and all waits for a cache,
 * end with the signal.
 */
export interface ReconcileContext<T extends KubeObject> extends LifecycleScope<T> {
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly client: Client;
  readonly cache: ReconcileCache;
}

/** The reconcile of a context. */
export type ReconcileAttempt = Pick<ReconcileContext<KubeObject>, "request" | "signal" | "logger">;

/** Makes the context of one reconcile of an object of a resource or an informer. */
export function createReconcileContext<T extends KubeObject>(
  watched: Resource | Informer<T>,
  parts: Pick<ControllerParts, "client" | "cache">,
  attempt: ReconcileAttempt,
): ReconcileContext<T> {
  const { signal } = attempt;
  const resource = "resource" in watched ? watched.resource : watched;
  const client = withSignal(parts.client, signal);
  const cache = cacheWithin(parts.cache, signal);
  const commit = createResourceCommitter(client.resource<T>(resource));
  return {
    ...attempt,
    client,
    cache,
    get: async (key) => ("resource" in watched ? watched.get(key) : cache.get<T>(resource, key)),
    commit: (original, desired, options) => commit(original, desired, { signal, ...options }),
  };
}

function cacheWithin(cache: Cache, signal: AbortSignal): ReconcileCache {
  const withLimit = (limit?: AbortSignal) => (limit ? AbortSignal.any([signal, limit]) : signal);
  return {
    scope: cache.scope,
    informerFor: (resource, selection) => cache.informerFor(resource, selection),
    get: (resource, key, limit) => cache.get(resource, key, withLimit(limit)),
    list: (resource, query, limit) => cache.list(resource, query, withLimit(limit)),
  };
}
