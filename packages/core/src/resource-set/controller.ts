import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import {
  type KubeObject,
  labelSelectorAsSelector,
  objectKeyOf,
  type PartialObjectMetadata,
} from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  done,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Informer,
  isBeingDeleted,
  type Logger,
  type Metrics,
  type Request,
  type Source,
} from "@rookery/runtime";
import { clusters, resourceSetBindings, resourceSets } from "../resources.ts";
import { reconcileResourceSet, reportResourceSetError } from "./reconcile.ts";
import type { ResourceSetDependencies } from "./scope.ts";

export interface ResourceSetControllerOptions {
  readonly cache: Cache;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly configMapMetadata: Informer<PartialObjectMetadata>;
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  /** Says which sets have a cluster that is connected now. */
  readonly connections: Source;
  /** Made anew for each reconcile. */
  readonly dependencies: (signal: AbortSignal) => ResourceSetDependencies;
  readonly concurrency: number;
}

const byResource = "resource";

/** Watches ClusterResourceSets, the Clusters that they select, and what they apply. */
export function createResourceSetController(options: ResourceSetControllerOptions): Controller {
  const { cache, dependencies } = options;
  const informer = cache.informerFor<ClusterResourceSet>(resourceSets);
  informer.addIndex(byResource, ({ spec }: ClusterResourceSet) =>
    spec.resources.map(({ kind, name }) => `${kind}/${name}`),
  );
  const dataSource = (kind: string, metadataInformer: Informer<PartialObjectMetadata>) =>
    createInformerSource({
      informer: metadataInformer,
      handler: enqueueRequestsFromMapFunction(({ metadata }) => {
        const { namespace = "", name = "" } = metadata;
        const index = { name: byResource, value: `${kind}/${name}` };
        return informer.list({ namespace, index }).map(objectKeyOf);
      }),
    });
  return createController({
    name: "clusterresourceset",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource<KubeObject>({
        informer: cache.informerFor<Cluster>(clusters),
        handler: enqueueRequestsFromMapFunction((cluster) => setsFor(cache, cluster)),
      }),
      dataSource("ConfigMap", options.configMapMetadata),
      dataSource("Secret", options.secretMetadata),
      options.connections,
    ],
    metrics: options.metrics.controller("clusterresourceset"),
    logger: options.logger,
    reconcile: (request, signal) => reconcileResourceSet(request, dependencies(signal)),
    reportError: (failed) => reportResourceSetError(failed, dependencies(failed.signal)),
  });
}

/** The sets that select a cluster. */
export function setsFor(cache: Cache, { metadata }: Pick<KubeObject, "metadata">): Request[] {
  const { namespace = "", labels = {} } = metadata;
  return cache
    .informerFor<ClusterResourceSet>(resourceSets)
    .list({ namespace })
    .filter(({ spec }) => selects(spec.clusterSelector, labels))
    .map(objectKeyOf);
}

/** An empty selector selects nothing. */
export function selects(
  selector: ClusterResourceSet["spec"]["clusterSelector"],
  labels: Readonly<Record<string, string>>,
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) return false;
  return labelSelectorAsSelector(selector).matches(labels);
}

/** Deletes the binding of a cluster that goes, or is gone. */
export function createBindingController(
  options: Pick<ResourceSetControllerOptions, "cache" | "metrics" | "logger" | "dependencies">,
): Controller {
  const { cache, dependencies } = options;
  return createController({
    name: "clusterresourcesetbinding",
    sources: [resourceSetBindings, clusters].map((resource) =>
      createInformerSource({
        informer: cache.informerFor<KubeObject>(resource),
        handler: enqueueRequestForObject(),
      }),
    ),
    metrics: options.metrics.controller("clusterresourcesetbinding"),
    logger: options.logger,
    async reconcile(request, signal) {
      const binding = await cache.get<ClusterResourceSetBinding>(
        resourceSetBindings,
        request,
        signal,
      );
      if (!binding || isBeingDeleted(binding)) return done;
      const key = { ...request, name: binding.spec.clusterName };
      const cluster = await cache.get<Cluster>(clusters, key, signal);
      if (!cluster || isBeingDeleted(cluster)) await dependencies(signal).deleteBinding(binding);
      return done;
    },
  });
}
