import type { ConfigMap } from "@rookery/api";
import {
  builtInResources,
  deepEqual,
  isForbidden,
  type KubeObject,
  type Resource,
  type StoreEntry,
} from "@rookery/kube";
import {
  type Controller,
  isBeingDeleted,
  requestForEntry,
  requestForNamespace,
} from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";

/** Gives every namespace the service account "default". */
export function createServiceAccountController(context: ControllerContext): Controller {
  return createInNamespaces(
    {
      name: "serviceaccount",
      resource: builtInResources.serviceAccounts,
      objectName: "default",
      wanted: (namespace, current) =>
        current ?? {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "default", namespace },
        },
    },
    context,
  );
}

const rootCaName = "kube-root-ca.crt";
const descriptionKey = "kubernetes.io/description";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Publishes the authority of the API server's certificate in every namespace. */
export function createRootCaPublisher(
  context: ControllerContext,
  rootCa: () => string,
): Controller {
  return createInNamespaces(
    {
      name: "root-ca-certificate-publisher",
      resource: builtInResources.configMaps,
      objectName: rootCaName,
      wanted: (namespace, current) => wantedIn(namespace, current, rootCa()),
    },
    context,
  );
}

function wantedIn(namespace: string, current: KubeObject | undefined, ca: string): KubeObject {
  const data = { "ca.crt": ca };
  const described = current?.metadata.annotations?.[descriptionKey];
  if (current && described && deepEqual((current as ConfigMap).data, data)) return current;
  const annotations = { ...current?.metadata.annotations, [descriptionKey]: description };
  const metadata = { ...(current?.metadata ?? { name: rootCaName, namespace }), annotations };
  return { apiVersion: "v1", kind: "ConfigMap", ...current, metadata, data } as KubeObject;
}

interface InNamespacesOptions {
  readonly name: string;
  readonly resource: Resource;
  /** Of the object that every namespace has. */
  readonly objectName: string;
  /** The object as it shall be, made from the one that is there; the same one where nothing is to do. */
  readonly wanted: (namespace: string, current: KubeObject | undefined) => KubeObject;
}

/** Keeps an object in every namespace that does not end. */
function createInNamespaces(options: InNamespacesOptions, context: ControllerContext): Controller {
  const { store } = context;
  const { resource, objectName } = options;
  const isOurs = ({ name }: StoreEntry) => name === objectName;
  return createStoreController(context, {
    name: options.name,
    maxConcurrentReconciles: 4,
    watches: {
      namespaces: requestForEntry,
      [resource.plural]: (entry) => (isOurs(entry) ? requestForNamespace(entry) : []),
    },
    reconcile: async ({ name: namespace }, signal) => {
      if (isActive(store.get({ resource: "namespaces", namespace: "", name: namespace }))) {
        await reconcileIn(namespace, { options, context, signal });
      }
    },
  });
}

function isActive(entry: StoreEntry | undefined): boolean {
  const status = entry?.object.status as { phase?: string } | undefined;
  return entry !== undefined && !isBeingDeleted(entry.object) && status?.phase === "Active";
}

async function reconcileIn(
  namespace: string,
  {
    options,
    context,
    signal,
  }: { options: InNamespacesOptions; context: ControllerContext; signal: AbortSignal },
): Promise<void> {
  const { resource, objectName: name } = options;
  const current = context.store.get({ resource: resource.plural, namespace, name })?.object;
  const object = options.wanted(namespace, current);
  if (object === current) return;
  const objects = context.client.resource(resource);
  try {
    if (current === undefined) await objects.create(object, { fieldManager, signal });
    else await objects.update(object, { fieldManager, signal });
  } catch (error) {
    // Nothing can be created in a namespace that is being deleted.
    if (!isForbidden(error)) throw error;
  }
}
