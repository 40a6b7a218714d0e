import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  isBeingDeleted,
  type Logger,
  type Metrics,
  type Predicate,
  type Request,
} from "@rookery/runtime";
import { inUseFinalizer, inUseFinalizers } from "../claims/in-use.ts";
import {
  clustersNaming,
  type IdentityEventOptions,
  identityEventSources,
} from "../credentials/identity-events.ts";
import { clusters, identities, virtualMachines } from "../resources.ts";
import type { SessionScope } from "../sessions/session-manager.ts";
import { reconcileCluster, reportClusterError } from "./reconcile.ts";
import type { ClusterDependencies } from "./scope.ts";

export interface ClusterControllerOptions extends IdentityEventOptions {
  readonly ownerClusters: Resource;
  readonly dependencies: (scope: SessionScope) => ClusterDependencies;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export function createClusterController(options: ClusterControllerOptions): Controller {
  const { cache } = options;
  const informer = cache.informerFor<VSphereCluster>(clusters);
  return createController({
    name: "vspherecluster",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource({
        informer: cache.informerFor<OwnerCluster>(options.ownerClusters),
        handler: enqueueRequestsFromMapFunction(infrastructureOf),
      }),
      ...identityEventSources(options, (cluster) => [objectKeyOf(cluster)]),
      createInformerSource({
        informer: cache.informerFor<VSphereClusterIdentity>(identities),
        predicates: [hasLostUsers],
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          clustersNaming(cache, { kind: "VSphereClusterIdentity", name: metadata.name ?? "" })
            .filter((cluster) => !metadata.finalizers?.includes(inUseFinalizer(cluster.metadata)))
            .map(objectKeyOf),
        ),
      }),
      createInformerSource({
        informer: cache.informerFor<KubeObject>(virtualMachines),
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          informer
            .list({ namespace: metadata.namespace ?? "" })
            .filter(isBeingDeleted)
            .map(objectKeyOf),
        ),
      }),
    ],
    metrics: options.metrics.controller("vspherecluster"),
    logger: options.logger,
    // A server that is slow holds up its own clusters, and those of its tenant.
    fairnessKey: (request) => [
      request.namespace ?? "",
      informer.get(request)?.spec?.server?.toLowerCase() ?? "",
    ],
    reconcile: (request, signal) =>
      reconcileCluster(request, options.dependencies({ tenant: request.namespace ?? "", signal })),
    reportError: (failed) => {
      const { request, signal } = failed;
      const scope = { tenant: request.namespace ?? "", signal };
      return reportClusterError(failed, options.dependencies(scope));
    },
  });
}

/** Somebody may have let go in the name of a cluster that still uses it. */
const hasLostUsers: Predicate<VSphereClusterIdentity> = (event) => {
  if (event.type !== "update") return false;
  const left = new Set(event.objectNew.metadata.finalizers);
  return inUseFinalizers(event.objectOld.metadata).some((one) => !left.has(one));
};

/** The VSphereCluster that a Cluster is on. */
function infrastructureOf({ metadata, spec }: OwnerCluster): Request[] {
  const { kind, name } = spec?.infrastructureRef ?? {};
  if (kind !== "VSphereCluster" || !name) return [];
  return [{ name, ...(metadata.namespace && { namespace: metadata.namespace }) }];
}
