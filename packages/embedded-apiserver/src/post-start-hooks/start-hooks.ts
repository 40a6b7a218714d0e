import type { ConfigMap } from "@rookery/api";
import type { ClusterAuthentication } from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import {
  builtInResources,
  type Clock,
  deepEqual,
  type KubeObject,
  type StoreReader,
} from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  type Logger,
  requestForEntry,
  requeue,
  requeueAfter,
  startRunnables,
} from "@rookery/runtime";
import { isConcurrentWrite } from "./concurrent-write.ts";

const fieldManager = "kube-controller-manager";
const namespace = "kube-system";
const name = "extension-apiserver-authentication";

/** Publishes the cluster's authentication for extension API servers. */
export function createAuthenticationConfigPublisher(
  context: HookContext,
  cluster: { readonly current: ClusterAuthentication },
): Controller {
  const { store, client } = context;
  const isOurs = (entry: { readonly namespace: string; readonly name: string }) =>
    entry.namespace === namespace && entry.name === name;
  return createController({
    name: "cluster-authentication-trust",
    logger: context.logger,
    sources: [
      createStoreSource({
        store,
        resource: "configmaps",
        requestsOf: (entry) => (isOurs(entry) ? requestForEntry(entry) : []),
      }),
      {
        name: "start",
        start: (queue) => queue.add({ namespace, name }),
      },
    ],
    reconcile: async (_, signal) => {
      const current = store.get({ resource: "configmaps", namespace, name })?.object;
      const data = dataOf(cluster.current);
      if (deepEqual((current as ConfigMap | undefined)?.data, data)) return done;
      const configMaps = client.resource(builtInResources.configMaps);
      const metadata = current?.metadata ?? { name, namespace };
      const object = { apiVersion: "v1", kind: "ConfigMap", ...current, metadata, data };
      try {
        if (current) await configMaps.update(object, { fieldManager, signal });
        else await configMaps.create(object, { fieldManager, signal });
        return done;
      } catch (error) {
        if (isConcurrentWrite(error)) return requeue;
        throw error;
      }
    },
  });
}

function dataOf({ clientCa, requestHeader }: ClusterAuthentication): Record<string, string> {
  const list = (values: readonly string[]) => JSON.stringify(values);
  return {
    ...(clientCa && { "client-ca-file": clientCa }),
    ...(requestHeader && {
      "requestheader-allowed-names": list(requestHeader.allowedNames),
      "requestheader-client-ca-file": requestHeader.clientCa,
      "requestheader-extra-headers-prefix": list(requestHeader.extraHeaderPrefixes),
      "requestheader-group-headers": list(requestHeader.groupHeaders),
      ...(requestHeader.uidHeaders.length > 0 && {
        "requestheader-uid-headers": list(requestHeader.uidHeaders),
      }),
      "requestheader-username-headers": list(requestHeader.usernameHeaders),
    }),
  };
}

export interface HookOptions extends HookContext {
  /** The authentication that is published for extension API servers. */
  readonly cluster: { readonly current: ClusterAuthentication };
  /** Called with errors of failed controllers. */
  readonly onError: (error: unknown) => void;
}

/** Runs the controllers inside of kube-apiserver until it is disposed of. */
export function startHooks(options: HookOptions): AsyncDisposable {
  const hooks = [
    createAuthenticationConfigPublisher(options, options.cluster),
    createEventExpiry(options),
  ];
  return startRunnables(hooks, options.onError);
}

export interface HookContext {
  readonly store: StoreReader;
  /** Writes go through the API, as in kube-apiserver. */
  readonly client: Client;
  readonly now: Clock;
  readonly logger: Logger;
}

const lifetimeMs = 60 * 60 * 1000;

/** Deletes events an hour after their last write. */
export function createEventExpiry(context: HookContext): Controller {
  const { store, client, now } = context;
  return createController({
    name: "event-expiry",
    logger: context.logger,
    sources: [createStoreSource({ store, resource: "events", requestsOf: requestForEntry })],
    reconcile: async ({ namespace = "", name }, signal) => {
      const event = store.get({ resource: "events", namespace, name })?.object;
      if (event === undefined) return done;
      const left = lastWritten(event) + lifetimeMs - now().getTime();
      if (left > 0) return requeueAfter(left / 1000);
      const { uid = "", resourceVersion = "" } = event.metadata;
      const preconditions = { uid, resourceVersion };
      try {
        await client
          .resource(builtInResources.events)
          .delete({ namespace, name }, { signal, preconditions });
      } catch (error) {
        if (!isConcurrentWrite(error)) throw error;
      }
      return done;
    },
  });
}

function lastWritten({ metadata }: KubeObject): number {
  const { creationTimestamp, managedFields = [] } = metadata;
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)];
  return Math.max(...times.map((time) => (time ? Date.parse(time) : 0)));
}
