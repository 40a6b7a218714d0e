import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { clusterNameLabel, type OwnerCluster, type OwnerMachine } from "@rookery/cluster-api";
import { type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunction,
  type Logger,
  type Metrics,
  type Request,
} from "@rookery/runtime";
import { machines, virtualMachines } from "../resources.ts";
import { reconcileMachine, reportMachineError } from "./reconcile.ts";
import type { MachineDependencies } from "./scope.ts";

export interface MachineControllerOptions {
  readonly cache: Cache;
  readonly ownerClusters: Resource;
  readonly ownerMachines: Resource;
  readonly dependencies: (signal: AbortSignal) => MachineDependencies;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const byCluster = "cluster";

export function createMachineController(options: MachineControllerOptions): Controller {
  const { cache, ownerClusters, ownerMachines, dependencies } = options;
  const informer = cache.informerFor<VSphereMachine>(machines);
  informer.addIndex(byCluster, clusterKeys);
  const machinesOf = ({ metadata }: KubeObject): Request[] => {
    const index = { name: byCluster, value: metadata.name ?? "" };
    return informer.list({ index, namespace: metadata.namespace ?? "" }).map(objectKeyOf);
  };
  return createController({
    name: "vspheremachine",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource({
        informer: cache.informerFor<VSphereVM>(virtualMachines),
        handler: enqueueRequestForOwner({ owner: machines }),
      }),
      createInformerSource({
        informer: cache.informerFor<OwnerMachine>(ownerMachines),
        handler: enqueueRequestsFromMapFunction(infrastructureOf),
      }),
      createInformerSource({
        informer: cache.informerFor<OwnerCluster>(ownerClusters),
        handler: enqueueRequestsFromMapFunction(machinesOf),
      }),
    ],
    metrics: options.metrics.controller("vspheremachine"),
    logger: options.logger,
    reconcile: (request, signal) => reconcileMachine(request, dependencies(signal)),
    reportError: (failed) => reportMachineError(failed, dependencies(failed.signal)),
  });
}

/** Cluster API labels every machine with its Cluster. */
function clusterKeys({ metadata }: VSphereMachine): string[] {
  const name = metadata.labels?.[clusterNameLabel];
  return name ? [name] : [];
}

/** The VSphereMachine that a Machine is on. */
function infrastructureOf({ metadata, spec }: OwnerMachine): Request[] {
  const { kind, name } = spec?.infrastructureRef ?? {};
  if (kind !== "VSphereMachine" || !name) return [];
  return [{ name, ...(metadata.namespace && { namespace: metadata.namespace }) }];
}
