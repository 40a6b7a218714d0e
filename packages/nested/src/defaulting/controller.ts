import type { NestedControlPlane } from "@rookery/api";
import { deepEqual, type Resource } from "@rookery/kube";
import {
  annotationsChanged,
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  generationChanged,
  type Logger,
  type Metrics,
  or,
  type Predicate,
} from "@rookery/runtime";
import type { OwnerCluster } from "../cluster-api/owners.ts";
import { controlPlaneOf } from "../control-plane/controller.ts";
import { controlPlanes } from "../resources.ts";
import { reconcileDefaults } from "./reconcile.ts";
import type { DefaultingDependencies } from "./scope.ts";

export interface DefaultingControllerOptions {
  readonly cache: Cache;
  readonly ownerClusters: Resource;
  readonly dependencies: DefaultingDependencies;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const ownersChanged: Predicate<NestedControlPlane> = (event) =>
  event.type !== "update" ||
  !deepEqual(event.objectOld.metadata.ownerReferences, event.objectNew.metadata.ownerReferences);

/** Apart from the controller of control planes, which makes nothing of its components itself. */
export function createDefaultingController(options: DefaultingControllerOptions): Controller {
  const { cache } = options;
  return createController({
    name: "nesteddefaulting",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({
        informer: cache.informerFor<NestedControlPlane>(controlPlanes),
        // Owners are no part of the generation, and it waits for one.
        predicates: [or(generationChanged, annotationsChanged, ownersChanged)],
        handler: enqueueRequestForObject(),
      }),
      // It may have been paused.
      createInformerSource({
        informer: cache.informerFor<OwnerCluster>(options.ownerClusters),
        predicates: [generationChanged],
        handler: enqueueRequestsFromMapFunction(controlPlaneOf),
      }),
    ],
    metrics: options.metrics.controller("nesteddefaulting"),
    logger: options.logger,
    reconcile: (request) => reconcileDefaults(request, options.dependencies),
  });
}
