import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClientOver } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";

/** A client whose reads are watched from then on. */
export interface WatchedReads extends Disposable {
  readonly client: Client;
  /** Resolves when objects may have changed since the last call. */
  changed(): Promise<void>;
}

export interface WatchedReadsOptions {
  /** The time in which several changes count as one, in milliseconds. */
  readonly joinMs?: number;
  /** The pause before a watch that ended starts again. */
  readonly againMs?: number;
}

/** The path of a collection in a namespace, or of an object in it. */
const collectionPath =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)\/namespaces\/(?<namespace>[^/]+)\/(?<plural>[^/]+)/;

/**
 * Watches the collections that the client reads. While a collection can't be watched, `changed` resolves
 * again and again, so that it is polled.
 */
export function watchReads(client: Client, options: WatchedReadsOptions = {}): WatchedReads {
  const { joinMs = 100, againMs = 2_000 } = options;
  const end = new AbortController();
  const { signal } = end;
  const watched = new Set<string>();
  let next = Promise.withResolvers<void>();
  const watch = async ({ namespace, ...resource }: Resource & { readonly namespace: string }) => {
    while (!signal.aborted) {
      const onChange = () => next.resolve();
      // A change before the watch opened is seen by the next read.
      const where = { namespace, signal, onOpen: onChange };
      await client
        .resource<KubeObject>(resource)
        .watch(where, onChange)
        .catch(() => {});
      await delay(againMs, undefined, { signal }).catch(() => {});
      next.resolve();
    }
  };
  return {
    client: createClientOver(
      (request) => {
        const [collection, resource] = collectionOf(request.path) ?? [];
        if (collection && resource && !watched.has(collection)) {
          watched.add(collection);
          void watch(resource);
        }
        return client.handler(request);
      },
      { namespace: client.namespace },
    ),
    async changed() {
      await next.promise;
      await delay(joinMs);
      next = Promise.withResolvers();
    },
    [Symbol.dispose]: () => end.abort(),
  };
}

function collectionOf(path: string) {
  const [collection = "", group = "", version = "", namespace = "", plural = ""] =
    collectionPath.exec(path) ?? [];
  if (collection === "") return undefined;
  // A watch does not use these names.
  const names = { kind: plural, plural, singular: plural, namespaced: true };
  return [collection, { group, version, namespace, ...names }] as const;
}
