import type { Cluster, Machine } from "@rookery/api";
import type { KubeObject, Resource } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Logger,
  type Metrics,
  type Source,
} from "@rookery/runtime";
import { partSource, referenceKey } from "../contract/part-source.ts";
import { clusters, machines } from "../resources.ts";
import { reconcileCluster, reportClusterError } from "./reconcile.ts";
import type { ClusterDependencies } from "./scope.ts";

export interface ClusterControllerOptions {
  readonly cache: Cache;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Says when a cluster is connected, or not any more. */
  readonly connections: Source;
  /** Made with what lets it watch the kinds of providers. */
  readonly dependencies: (watchKind: (resource: Resource) => void) => ClusterDependencies;
  readonly concurrency: number;
}

/** Watches Clusters, what they are made of, their machines and the connections to them. */
export function createClusterController(options: ClusterControllerOptions): Controller {
  const { cache, logger } = options;
  const informer = cache.informerFor<Cluster>(clusters);
  const watchKind = (resource: Resource) => {
    const source = partSource({ cache, resource, owner: clusters, users: informer });
    // Not waited for: a kind that may not be watched must not hold up the others.
    controller.watch(source).catch((error: unknown) => {
      logger.error(error, "Could not watch a provider's kind", { kind: resource.kind });
    });
  };
  const dependencies = options.dependencies(watchKind);
  informer.addIndex("parts", ({ spec }: Cluster) =>
    [spec.infrastructureRef, spec.controlPlaneRef].flatMap((reference) =>
      reference ? [referenceKey(reference.kind, reference.name)] : [],
    ),
  );
  const controller = createController({
    name: "cluster",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource<KubeObject>({
        informer: cache.informerFor<Machine>(machines),
        handler: enqueueRequestsFromMapFunction((machine) => clusterOf(machine as Machine)),
      }),
      options.connections,
    ],
    metrics: options.metrics.controller("cluster"),
    logger,
    reconcile: (request, signal) => reconcileCluster(request, dependencies, signal),
    reportError: (failed) => reportClusterError(failed, dependencies),
  });
  return controller;
}

/** The Cluster that a machine is of. */
function clusterOf({ metadata, spec }: Machine) {
  const { namespace } = metadata;
  return [{ name: spec.clusterName, ...(namespace && { namespace }) }];
}
