import type { EndpointSlice, Node, Service } from "@rookery/api";
import { storedObject } from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { type AddressType, desiredEndpoints, sliceManager } from "./desired-endpoints.ts";
import { deletionOf, planSlices } from "./plan-slices.ts";
import {
  hasSelectedPods,
  podsOf,
  servicesOfNode,
  servicesOfPod,
  servicesOfSlice,
} from "./service-pods.ts";
import { applyPlan, sliceResource, slicesOfService, type Writing } from "./service-slices.ts";
import { TriggerTimes, withTriggerTime } from "./trigger-times.ts";

/** Keeps EndpointSlices of the pods that Services select. */
export function createEndpointSliceController(context: ControllerContext): Controller {
  const { store } = context;
  const triggers = new TriggerTimes();
  return createStoreController(context, {
    name: "endpoint-slice-controller",
    maxConcurrentReconciles: 4,
    watches: {
      services: requestForEntry,
      pods: servicesOfPod(store),
      nodes: servicesOfNode(store),
      [sliceResource]: (entry) => servicesOfSlice(entry, sliceManager),
    },
    reconcile: async (key, signal) => {
      const service = storedObject<Service>(store, { resource: "services", ...key });
      // The slices of a Service that has gone go with it, as everything that it owns.
      if (service === undefined) triggers.forget(key);
      else if (hasSelectedPods(service)) {
        await reconcileService(service, { context, signal, triggers });
      }
    },
  });
}

async function reconcileService(
  service: Service,
  writing: Writing & { readonly triggers: TriggerTimes },
): Promise<void> {
  const { store } = writing.context;
  const { name = "", namespace = "", deletionTimestamp } = service.metadata ?? {};
  const existing = slicesOfService(store, { namespace, name }, sliceManager);
  const families = (service.spec?.ipFamilies ?? []) as readonly AddressType[];
  const pods = podsOf(service, store);
  const time = writing.triggers.changed(service, pods);
  const nodeOf = (name: string) =>
    storedObject<Node>(store, { resource: "nodes", namespace: "", name });
  const plans = families.map((addressType) =>
    planSlices({
      service,
      addressType,
      existing: existing.filter((slice) => slice.addressType === addressType),
      desired: desiredEndpoints({ service, pods, addressType, nodeOf }),
    }),
  );
  const foreign = existing.filter(
    ({ addressType = "" }) => !(families as readonly string[]).includes(addressType),
  );
  // A Service that is being deleted gets no new slices.
  const isGoing = deletionTimestamp !== undefined;
  for (const { create, update, ...rest } of plans) {
    const timed = (slice: EndpointSlice) => withTime(slice, time);
    const made = isGoing ? [] : create.map(timed);
    await applyPlan({ ...rest, create: made, update: update.map(timed) }, writing);
  }
  await applyPlan(deletionOf(foreign), writing);
}

function withTime(slice: EndpointSlice, time: string | undefined): EndpointSlice {
  const annotations = withTriggerTime(slice.metadata?.annotations, time);
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}
