import { controllerOf } from "@rookery/kube";
import type { Source } from "@rookery/runtime";
import { createStoreSource } from "@rookery/runtime";
import { findObject, kinds } from "../shared/kinds.ts";
import type { WorkloadContext } from "../shared/workload-context.ts";

/** Requests from pods that went: where all old ones must go before new ones come, that is news. */
export function podsSource({ store }: WorkloadContext): Source {
  return createStoreSource({
    store,
    resource: kinds.pods.stored,
    requestsOf({ object, namespace }, event) {
      if (event?.deleted === undefined) return [];
      const controller = controllerOf(object);
      if (controller?.kind !== kinds.replicaSets.resource.kind) return [];
      const set = findObject(store, kinds.replicaSets, { namespace, name: controller.name });
      const owner = set && controllerOf(set);
      return owner?.kind === kinds.deployments.resource.kind
        ? [{ namespace, name: owner.name }]
        : [];
    },
  });
}
