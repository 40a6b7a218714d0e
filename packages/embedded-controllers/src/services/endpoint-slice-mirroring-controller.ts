import type { Endpoints, Service } from "@rookery/api";
import { type StoreReader, storedObject } from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { mirrorManager, planMirror } from "./mirrored-slices.ts";
import { deletionOf } from "./plan-slices.ts";
import { servicesOfSlice } from "./service-pods.ts";
import { applyPlan, sliceResource, slicesOfService } from "./service-slices.ts";

const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** Keeps EndpointSlices of Endpoints that someone made by hand for a Service without a selector. */
export function createEndpointSliceMirroringController(context: ControllerContext): Controller {
  const { store } = context;
  return createStoreController(context, {
    name: "endpoint-slice-mirroring-controller",
    watches: {
      services: requestForEntry,
      endpoints: requestForEntry,
      [sliceResource]: (entry) => servicesOfSlice(entry, mirrorManager),
    },
    reconcile: async (key, signal) => {
      const existing = slicesOfService(store, key, mirrorManager);
      const endpoints = mirroredEndpoints(store, key);
      const plan = endpoints ? planMirror(endpoints, existing) : deletionOf(existing);
      const isGoing = endpoints?.metadata?.deletionTimestamp !== undefined;
      await applyPlan(isGoing ? { ...plan, create: [] } : plan, { context, signal });
    },
  });
}

/** Undefined where there are none, or where nobody wants them mirrored. */
function mirroredEndpoints(
  store: StoreReader,
  key: { readonly namespace: string; readonly name: string },
): Endpoints | undefined {
  const endpoints = storedObject<Endpoints>(store, { resource: "endpoints", ...key });
  const service = storedObject<Service>(store, { resource: "services", ...key });
  const { labels = {}, annotations = {} } = endpoints?.metadata ?? {};
  const isSkipped = labels[skipLabel] === "true" || annotations[leaderAnnotation] !== undefined;
  const isMirrored = service !== undefined && service.spec?.selector === undefined && !isSkipped;
  return isMirrored ? endpoints : undefined;
}
