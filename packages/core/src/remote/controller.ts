import type { Cluster } from "@rookery/api";
import type { PartialObjectMetadata } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Informer,
  type Logger,
  type Metrics,
} from "@rookery/runtime";
import { clusters } from "../resources.ts";
import type { WorkloadClusters } from "./workload-clusters.ts";

const suffix = "-kubeconfig";

/** The name of the Secret with a cluster's kubeconfig. */
export function kubeconfigSecret(cluster: string): string {
  return `${cluster}${suffix}`;
}

/** Keeps the connections to clusters. */
export function createConnectionController(options: {
  readonly cache: Cache;
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly workloadClusters: WorkloadClusters;
  readonly metrics: Metrics;
  readonly logger: Logger;
}): Controller {
  const { cache, secretMetadata, workloadClusters, metrics, logger } = options;
  return createController({
    name: "clustercache",
    maxConcurrentReconciles: 100,
    sources: [
      createInformerSource({
        informer: cache.informerFor<Cluster>(clusters),
        handler: enqueueRequestForObject(),
      }),
      createInformerSource({
        informer: secretMetadata,
        handler: enqueueRequestsFromMapFunction(({ metadata }) => {
          const { name = "", namespace } = metadata;
          if (!name.endsWith(suffix)) return [];
          return [{ name: name.slice(0, -suffix.length), ...(namespace && { namespace }) }];
        }),
      }),
    ],
    metrics: metrics.controller("clustercache"),
    logger,
    reconcile: (request, signal) => workloadClusters.reconcile(request, signal),
  });
}
