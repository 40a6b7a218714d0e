import type { ConfigMap } from "@rookery/api";
import type { ClusterAuthentication } from "@rookery/apiserver";
import {
  builtInResources,
  deepEqual,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  requestForEntry,
  requeue,
} from "@rookery/runtime";
import type { HookContext } from "./start-hooks.ts";

const fieldManager = "kube-controller-manager";
const namespace = "kube-system";
const name = "extension-apiserver-authentication";

/** Tells extension API servers how this one authenticates. */
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
        const isRace = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
        if (isRace) return requeue;
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
