import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { deepEqual, type KubeObject, type Resource } from "@rookery/kube";
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
import type { OfReconcile } from "../component/dependencies.ts";
import { controlPlaneOf, enqueueUsersOf } from "../control-plane/controller.ts";
import { reportError } from "../report-error.ts";
import { apiServers, controllerManagers, controlPlanes, etcds } from "../resources.ts";
import { componentsCreated, reconcileDefaults } from "./reconcile.ts";
import type { DefaultingDependencies } from "./scope.ts";

export interface DefaultingControllerOptions {
  readonly cache: Cache;
  readonly ownerClusters: Resource;
  readonly dependencies: OfReconcile<DefaultingDependencies>;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const ownersChanged: Predicate<NestedControlPlane> = (event) =>
  event.type !== "update" ||
  !deepEqual(event.objectOld.metadata.ownerReferences, event.objectNew.metadata.ownerReferences);

/** A component that is deleted is created anew; a named API server decides what else is needed. */
const comesOrGoes: Predicate<KubeObject> = ({ type }) => type !== "update";

/**
 * Apart from the controller of control planes, which makes nothing of its components itself, and whose
 * index of components it uses.
 */
export function createDefaultingController(options: DefaultingControllerOptions): Controller {
  const { cache } = options;
  const informer = cache.informerFor<NestedControlPlane>(controlPlanes);
  return createController({
    name: "nesteddefaulting",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({
        informer,
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
      ...[etcds, apiServers, controllerManagers].map((resource) =>
        createInformerSource({
          informer: cache.informerFor<KubeObject>(resource),
          predicates: [comesOrGoes],
          handler: enqueueUsersOf(informer),
        }),
      ),
    ],
    metrics: options.metrics.controller("nesteddefaulting"),
    logger: options.logger,
    reconcile: (request, signal) => reconcileDefaults(request, options.dependencies(signal)),
    reportError: (failed) => {
      const { getControlPlane, ...dependencies } = options.dependencies(failed.signal);
      const place = { ...dependencies, get: getControlPlane };
      return reportError(failed, place, [componentsCreated]);
    },
  });
}
