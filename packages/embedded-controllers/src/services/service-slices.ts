import type { EndpointSlice } from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import {
  builtInResources,
  isForbidden,
  type KubeObject,
  type ObjectKey,
  storedObjects,
} from "@rookery/kube";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { isOvertaken } from "../context/store-controller.ts";
import type { SlicePlan } from "./plan-slices.ts";

export const sliceResource = "endpointslices.discovery.k8s.io";

/** The slices of a Service that one controller keeps. */
export function slicesOfService(
  store: StoreReader,
  { namespace = "", name }: ObjectKey,
  manager: string,
): readonly EndpointSlice[] {
  return storedObjects<EndpointSlice>(store, sliceResource, namespace).filter((slice) => {
    const { labels = {}, deletionTimestamp } = slice.metadata ?? {};
    return (
      deletionTimestamp === undefined &&
      labels["kubernetes.io/service-name"] === name &&
      labels["endpointslice.kubernetes.io/managed-by"] === manager
    );
  });
}

export interface Writing {
  readonly context: ControllerContext;
  readonly signal: AbortSignal;
}

/** Writes a plan until a write is overtaken: the next reconcile writes the rest. */
export async function applyPlan(plan: SlicePlan, { context, signal }: Writing): Promise<void> {
  const slices = context.client.resource(builtInResources.endpointSlices);
  const options = { fieldManager, signal };
  try {
    for (const slice of plan.create) await slices.create(slice as KubeObject, options);
    for (const slice of plan.update) await slices.update(slice as KubeObject, options);
    for (const { metadata: { namespace = "", name = "" } = {} } of plan.delete) {
      await slices.delete({ namespace, name }, { signal });
    }
  } catch (error) {
    // Nothing can be created in a namespace that is being deleted.
    if (!isOvertaken(error) && !isForbidden(error)) throw error;
  }
}
