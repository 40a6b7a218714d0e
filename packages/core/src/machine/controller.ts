import type { Cluster, Machine } from "@rookery/api";
import { clusterNameLabel } from "@rookery/cluster-api";
import { type KubeObject, labelSelectorFromSet, objectKeyOf, type Resource } from "@rookery/kube";
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
import { reconcileMachine, reportMachineError } from "./reconcile.ts";
import type { MachineDependencies } from "./scope.ts";

export interface MachineControllerOptions {
  readonly cache: Cache;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Says which machines have something new of their cluster or node. */
  readonly workloads: Source;
  /** Made with what lets it watch the kinds of providers. */
  readonly dependencies: (watchKind: (resource: Resource) => void) => MachineDependencies;
  readonly concurrency: number;
}

/** Watches Machines, what they are made of, their Clusters, and the nodes that they became. */
export function createMachineController(options: MachineControllerOptions): Controller {
  const { cache, logger } = options;
  const informer = cache.informerFor<Machine>(machines);
  const watchKind = (resource: Resource) => {
    const source = partSource({ cache, resource, owner: machines, users: informer });
    // Not waited for: a kind that may not be watched must not hold up the others.
    controller.watch(source).catch((error: unknown) => {
      logger.error(error, "Could not watch a provider's kind", { kind: resource.kind });
    });
  };
  const dependencies = options.dependencies(watchKind);
  informer.addIndex("parts", ({ spec }: Machine) =>
    [spec.infrastructureRef, spec.bootstrap.configRef].flatMap((reference) =>
      reference ? [referenceKey(reference.kind, reference.name)] : [],
    ),
  );
  const controller = createController({
    name: "machine",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource<KubeObject>({
        informer: cache.informerFor<Cluster>(clusters),
        handler: enqueueRequestsFromMapFunction((cluster) => machinesOf(cache, cluster)),
      }),
      options.workloads,
    ],
    metrics: options.metrics.controller("machine"),
    logger,
    reconcile: (request, signal) => reconcileMachine(request, dependencies, signal),
    reportError: (failed) => reportMachineError(failed, dependencies),
  });
  return controller;
}

/** The Machines with the label of a cluster. */
export function machinesOf(cache: Cache, { metadata }: Pick<KubeObject, "metadata">) {
  const { namespace = "", name = "" } = metadata;
  return cache
    .informerFor<Machine>(machines)
    .list({ namespace, labels: labelSelectorFromSet({ [clusterNameLabel]: name }) })
    .map(objectKeyOf);
}
