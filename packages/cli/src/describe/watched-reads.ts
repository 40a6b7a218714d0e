import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClientOver } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";

/** Reads that are told of: what was read once is watched from then on. */
export interface WatchedReads extends Disposable {
  /** To read by. */
  readonly client: Client;
  /** Resolves when something of it may have changed since the last call; at once where it did meanwhile. */
  changed(): Promise<void>;
}

export interface WatchedReadsOptions {
  /** Changes that come together are told of once, after so many milliseconds. */
  readonly joinMs?: number;
  /** After which a watch that ended is begun again. */
  readonly againMs?: number;
}

/** The collection of a namespace, or an object in it. */
const collectionPath =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)\/namespaces\/(?<namespace>[^/]+)\/(?<plural>[^/]+)/;

/**
 * Watches the collections of namespaces that somebody reads from. Who may not watch one, or has lost the
 * connection, is told again and again that it may have changed: it is asked then, as it would be without.
 */
export function watchReads(client: Client, options: WatchedReadsOptions = {}): WatchedReads {
  const { joinMs = 100, againMs = 2_000 } = options;
  const end = new AbortController();
  const { signal } = end;
  const watched = new Set<string>();
  let next = Promise.withResolvers<void>();
  const watch = async ({ namespace, ...resource }: Resource & { readonly namespace: string }) => {
    while (!signal.aborted) {
      const tell = () => next.resolve();
      // What changed before it began is seen by whoever reads once more then.
      const where = { namespace, signal, onOpen: tell };
      await client
        .resource<KubeObject>(resource)
        .watch(where, tell)
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
  // What else there is to know of it does not matter to a watch.
  const names = { kind: plural, plural, singular: plural, namespaced: true };
  return [collection, { group, version, namespace, ...names }] as const;
}
