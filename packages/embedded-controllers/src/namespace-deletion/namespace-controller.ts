import type { Namespace, NamespaceStatus } from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import { builtInResources, isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  isBeingDeleted,
  type Result,
  requestForEntry,
  requeue,
  requeueAfter,
  type Source,
} from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { ServedKinds } from "../context/served-kinds.ts";
import { deletionConditions } from "./conditions.ts";
import { deleteContent } from "./delete-content.ts";

const finalizer = "kubernetes";
/** The time until the next check for finalizers of others, unless an event comes earlier. */
const waitSeconds = 8;

/** Deletes the content of namespaces that are being deleted, then finalizes them. */
export function createNamespaceController(context: ControllerContext): Controller {
  const { store } = context;
  const kinds = new ServedKinds(context.groups);
  return createController({
    name: "namespace",
    logger: context.logger,
    maxConcurrentReconciles: 10,
    sources: [
      createStoreSource({ store, resource: "namespaces", requestsOf: requestForEntry }),
      contentSource(store),
    ],
    reconcile: async ({ name }, signal) => {
      const namespace = store.get({ resource: "namespaces", namespace: "", name })?.object;
      if (namespace?.metadata.deletionTimestamp === undefined) return done;
      if (finalizersOf(namespace).length === 0) return done;
      try {
        return await end(namespace, { context, kinds, signal });
      } catch (error) {
        if (isNotFound(error)) return done;
        if (isConflict(error)) return requeue;
        throw error;
      }
    },
  });
}

/** Requests namespaces that are being deleted when one of their objects is gone. */
function contentSource(store: StoreReader): Source {
  return {
    name: "content",
    start(queue, signal) {
      const subscription = store.watch("*", store.revision, ({ entry, previous }) => {
        if (entry !== undefined || !previous?.namespace) return;
        const key = { resource: "namespaces", namespace: "", name: previous.namespace };
        const namespace = store.get(key)?.object;
        if (namespace && isBeingDeleted(namespace))
          queue.add({ namespace: "", name: previous.namespace });
      });
      signal.addEventListener("abort", () => subscription.close(), { once: true });
    },
  };
}

function finalizersOf(namespace: KubeObject): readonly string[] {
  return (namespace as Namespace).spec?.finalizers ?? [];
}

interface Ending {
  readonly context: ControllerContext;
  readonly kinds: ServedKinds;
  readonly signal: AbortSignal;
}

async function end(namespace: KubeObject, ending: Ending): Promise<Result> {
  const { context, signal } = ending;
  const { store, client, now } = context;
  const { name = "" } = namespace.metadata;
  const marked = await withStatus(namespace, { phase: "Terminating" }, ending);
  const findings = await deleteContent(name, { store, client, kinds: ending.kinds, signal });
  const status = (marked.status ?? {}) as NamespaceStatus;
  const conditions = deletionConditions(status.conditions ?? [], findings, now());
  const current = await withStatus(marked, { conditions: [...conditions] }, ending);
  if (findings.failures.length > 0) return requeue;
  if (findings.hasPods || findings.remaining.size > 0) return requeueAfter(waitSeconds);
  const finalizers = finalizersOf(current).filter((each) => each !== finalizer);
  const finalized = { ...current, spec: { ...(current.spec as object), finalizers } };
  const finalize = client.resource(builtInResources.namespaces).subresource("finalize");
  await finalize.update(finalized, { fieldManager, signal });
  return done;
}

/** The namespace with a changed status. */
async function withStatus(
  namespace: KubeObject,
  change: NamespaceStatus,
  { context, signal }: Ending,
): Promise<KubeObject> {
  const old = (namespace.status ?? {}) as NamespaceStatus;
  const isSame = (Object.keys(change) as (keyof NamespaceStatus)[]).every(
    (key) => JSON.stringify(old[key]) === JSON.stringify(change[key]),
  );
  if (isSame) return namespace;
  const changed = { ...namespace, status: { ...old, ...change } };
  const { status } = context.client.resource(builtInResources.namespaces);
  return status.update(changed, { fieldManager, signal });
}
