import type { Endpoints, Pod, Service } from "@rookery/api";
import {
  builtInResources,
  deepEqual,
  isForbidden,
  type KubeObject,
  storedObject,
} from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { subsetsOf } from "./endpoint-subsets.ts";
import { hasSelectedPods, isHeadlessService, podsOf, servicesOfPod } from "./service-pods.ts";
import { TriggerTimes, withTriggerTime } from "./trigger-times.ts";

const overCapacity = "endpoints.kubernetes.io/over-capacity";
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** Keeps the Endpoints of the pods that Services select, and deletes those of Services that have gone. */
export function createEndpointsController(context: ControllerContext): Controller {
  const { store } = context;
  const triggers = new TriggerTimes();
  return createStoreController(context, {
    name: "endpoint-controller",
    maxConcurrentReconciles: 4,
    watches: {
      services: requestForEntry,
      pods: servicesOfPod(store),
      // The start finds Endpoints that were left behind; later ones without a Service are made by hand.
      endpoints: (entry, event) =>
        event === undefined || event.entry === undefined ? requestForEntry(entry) : [],
    },
    reconcile: async (key, signal) => {
      const service = storedObject<Service>(store, { resource: "services", ...key });
      const current = storedObject<Endpoints>(store, { resource: "endpoints", ...key });
      const writing = { context, signal, triggers };
      if (service === undefined) await removeLeftOver(current, writing);
      else if (hasSelectedPods(service)) await reconcileService(service, current, writing);
    },
  });
}

interface Writing {
  readonly context: ControllerContext;
  readonly signal: AbortSignal;
  readonly triggers: TriggerTimes;
}

/** Leaders of old keep their lease in Endpoints without a Service. */
async function removeLeftOver(
  current: Endpoints | undefined,
  { context, signal, triggers }: Writing,
): Promise<void> {
  const { namespace = "", name = "", annotations = {} } = current?.metadata ?? {};
  triggers.forget({ namespace, name });
  if (current === undefined || annotations[leaderAnnotation] !== undefined) return;
  const all = context.client.resource(builtInResources.endpoints);
  await all.delete({ namespace, name }, { signal });
}

async function reconcileService(
  service: Service,
  current: Endpoints | undefined,
  { context, signal, triggers }: Writing,
): Promise<void> {
  const pods = podsOf(service, context.store);
  const time = triggers.changed(service, pods);
  const same = wantedEndpoints(service, current, pods);
  if (current !== undefined && isSame(same, current)) return;
  const annotations = withTriggerTime(same.metadata?.annotations, time);
  const wanted = { ...same, metadata: { ...same.metadata, annotations } };
  const all = context.client.resource(builtInResources.endpoints);
  const options = { fieldManager, signal };
  try {
    if (current === undefined) await all.create(wanted as KubeObject, options);
    else await all.update(wanted as KubeObject, options);
  } catch (error) {
    // Nothing can be created in a namespace that is being deleted.
    if (!isForbidden(error)) throw error;
  }
}

function wantedEndpoints(
  service: Service,
  current: Endpoints | undefined,
  pods: readonly Pod[],
): Endpoints {
  const { subsets, isTruncated } = subsetsOf(service, pods);
  const { name = "", namespace = "", labels: own = {} } = service.metadata ?? {};
  const { "service.kubernetes.io/headless": _, ...labels } = own;
  const { [overCapacity]: __, ...annotations } = current?.metadata?.annotations ?? {};
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      ...(current?.metadata ?? { name, namespace }),
      labels: {
        ...labels,
        ...(isHeadlessService(service) && { "service.kubernetes.io/headless": "" }),
        "endpoints.kubernetes.io/managed-by": "endpoint-controller",
      },
      annotations: { ...annotations, ...(isTruncated && { [overCapacity]: "truncated" }) },
    },
    subsets: [...subsets],
  };
}

function isSame(wanted: Endpoints, current: Endpoints): boolean {
  return deepEqual(comparable(wanted), comparable(current));
}

function comparable({ metadata, subsets }: Endpoints): unknown {
  const { labels = {}, annotations = {} } = metadata ?? {};
  return { labels, annotations, subsets: subsets ?? [] };
}
