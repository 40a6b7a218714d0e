import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import { clusterApiOwner, type OwnerCluster, refersTo } from "@rookery/cluster-api";
import { objectKeyOf, type Resource } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  generationChanged,
  type Logger,
  type Metrics,
  type Request,
} from "@rookery/runtime";
import type { OfReconcile } from "../component/dependencies.ts";
import { reportError } from "../report-error.ts";
import { clusters, controlPlanes } from "../resources.ts";
import { reconcileCluster } from "./reconcile.ts";
import type { ClusterDependencies } from "./scope.ts";

export interface ClusterControllerOptions {
  readonly cache: Cache;
  readonly ownerClusters: Resource;
  readonly dependencies: OfReconcile<ClusterDependencies>;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const byCluster = "cluster";

/** Watches NestedClusters, the Clusters that own them, and the control planes of those. */
export function createClusterController(options: ClusterControllerOptions): Controller {
  const { cache } = options;
  const informer = cache.informerFor<NestedCluster>(clusters);
  informer.addIndex(byCluster, ({ metadata }) => {
    const owner = clusterApiOwner(metadata, "Cluster");
    return owner ? [owner.name] : [];
  });
  const infrastructureOf = (name: string, namespace = ""): Request[] =>
    informer.list({ index: { name: byCluster, value: name }, namespace }).map(objectKeyOf);
  return createController({
    name: "nestedcluster",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource({
        informer: cache.informerFor<OwnerCluster>(options.ownerClusters),
        predicates: [generationChanged],
        handler: enqueueRequestsFromMapFunction(({ metadata, spec }) => {
          const reference = spec?.infrastructureRef;
          if (!refersTo(reference, clusters)) return [];
          const { namespace } = metadata;
          return [{ name: reference.name, ...(namespace && { namespace }) }];
        }),
      }),
      createInformerSource({
        informer: cache.informerFor<NestedControlPlane>(controlPlanes),
        predicates: [generationChanged],
        handler: enqueueRequestsFromMapFunction(({ metadata }) => {
          const owner = clusterApiOwner(metadata, "Cluster");
          // Where Cluster API has not met it yet, whoever names it is asked.
          if (owner) return infrastructureOf(owner.name, metadata.namespace);
          return informer
            .list({ namespace: metadata.namespace ?? "" })
            .filter(({ spec }) => spec?.controlPlaneRef?.name === metadata.name)
            .map(objectKeyOf);
        }),
      }),
    ],
    metrics: options.metrics.controller("nestedcluster"),
    logger: options.logger,
    reconcile: (request, signal) => reconcileCluster(request, options.dependencies(signal)),
    reportError: (failed) => {
      const { getCluster, ...dependencies } = options.dependencies(failed.signal);
      return reportError(failed, { ...dependencies, get: getCluster });
    },
  });
}
