import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { type KubeObject, objectKeyOf } from "@rookery/kube";
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
import { clusters, machines } from "../resources.ts";
import { reconcileVm } from "./reconcile.ts";
import type { VmDependencies } from "./scope.ts";

export interface VmControllerOptions {
  readonly cache: Cache;
  readonly dependencies: VmDependencies;
  /** What is heard from vCenters. */
  readonly changes: Source;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export function createVmController(options: VmControllerOptions): Controller {
  const { cache, changes, dependencies } = options;
  const informer = cache.informerFor<VSphereVM>(machines);
  /** What a cluster is made as may have changed, or its vCenter may be back. */
  const machinesOf = ({ metadata }: KubeObject) =>
    informer.list({ namespace: metadata.namespace ?? "" }).map(objectKeyOf);
  return createController({
    name: "vspherevm",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource({
        informer: cache.informerFor<VSphereCluster>(clusters),
        handler: enqueueRequestsFromMapFunction(machinesOf),
      }),
      changes,
    ],
    metrics: options.metrics.controller("vspherevm"),
    logger: options.logger,
    reconcile: (request) => reconcileVm(request, dependencies),
  });
}
