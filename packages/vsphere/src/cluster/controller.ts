import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import {
  deepEqual,
  hasConditionStatus,
  type KubeObject,
  objectKeyOf,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  generationChanged,
  isBeingDeleted,
  type Logger,
  type Metrics,
  or,
  type Predicate,
  type Request,
} from "@rookery/runtime";
import { inUseFinalizer, inUseFinalizers } from "../claims/in-use.ts";
import type { OwnerCluster } from "../cluster-api/owners.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import { isCredentialsNamespace, type SecretMetadata } from "../credentials/secret-metadata.ts";
import { clusters, identities, namespaces, virtualMachines } from "../resources.ts";
import type { SessionScope } from "../sessions/session-manager.ts";
import { reconcileCluster, reportClusterError } from "./reconcile.ts";
import type { ClusterDependencies } from "./scope.ts";

export interface ClusterControllerOptions {
  readonly cache: Cache;
  readonly ownerClusters: Resource;
  readonly secretMetadata: SecretMetadata;
  readonly credentialsNamespace: string;
  readonly formerCredentialsNamespace?: string | undefined;
  readonly dependencies: (scope: SessionScope) => ClusterDependencies;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const byIdentity = "identity";

/** Watches all that decides as whom a cluster is made, so that a change takes effect in seconds. */
export function createClusterController(options: ClusterControllerOptions): Controller {
  const { cache, secretMetadata } = options;
  const informer = cache.informerFor<VSphereCluster>(clusters);
  informer.addIndex(byIdentity, identityKeys);
  const users = (kind: string, name: string, namespace?: string): Request[] => {
    const index = { name: byIdentity, value: `${kind}/${name}` };
    return informer.list({ index, ...(namespace && { namespace }) }).map(objectKeyOf);
  };
  return createController({
    name: "vspherecluster",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource({
        informer: cache.informerFor<OwnerCluster>(options.ownerClusters),
        handler: enqueueRequestsFromMapFunction(infrastructureOf),
      }),
      createInformerSource({
        informer: cache.informerFor<VSphereClusterIdentity>(identities),
        // Every cluster that uses an identity writes so on it, which is no news for the others.
        predicates: [or<VSphereClusterIdentity>(generationChanged, readinessChanged)],
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          users("VSphereClusterIdentity", metadata.name ?? ""),
        ),
      }),
      createInformerSource({
        informer: cache.informerFor<VSphereClusterIdentity>(identities),
        predicates: [hasLostUsers],
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          users("VSphereClusterIdentity", metadata.name ?? "").filter(
            (cluster) => !metadata.finalizers?.includes(inUseFinalizer(cluster)),
          ),
        ),
      }),
      createInformerSource({
        informer: cache.informerFor<KubeObject>(namespaces),
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          informer.list({ namespace: metadata.name ?? "" }).map(objectKeyOf),
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
      createInformerSource({
        informer: secretMetadata.watched,
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          users("Secret", metadata.name ?? "", metadata.namespace),
        ),
      }),
      createInformerSource({
        informer: secretMetadata.credentials,
        handler: enqueueRequestsFromMapFunction((secret) =>
          identityUsers(secret, options).flatMap((name) => users("VSphereClusterIdentity", name)),
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

const readinessChanged: Predicate<VSphereClusterIdentity> = (event) =>
  event.type !== "update" || !deepEqual(readinessOf(event.objectOld), readinessOf(event.objectNew));

/** Somebody may have let go in the name of a cluster that still uses it. */
const hasLostUsers: Predicate<VSphereClusterIdentity> = (event) => {
  if (event.type !== "update") return false;
  const left = new Set(event.objectNew.metadata.finalizers);
  return inUseFinalizers(event.objectOld.metadata).some((one) => !left.has(one));
};

function readinessOf({ status }: VSphereClusterIdentity): object {
  const { instances = {}, conditions } = status ?? {};
  return { instances, isReady: hasConditionStatus(conditions, "Ready", "True") };
}

function identityKeys({ spec }: VSphereCluster): string[] {
  return spec?.identityRef ? [`${spec.identityRef.kind}/${spec.identityRef.name}`] : [];
}

/** The identities whose Secret it is. */
function identityUsers(
  { metadata }: PartialObjectMetadata,
  options: ClusterControllerOptions,
): string[] {
  if (!isCredentialsNamespace(metadata.namespace, options)) return [];
  return options.cache
    .informerFor<VSphereClusterIdentity>(identities)
    .list()
    .filter((identity) => secretNameOf(identity) === metadata.name)
    .map((identity) => identity.metadata.name ?? "");
}

/** The VSphereCluster that a Cluster is on. */
function infrastructureOf({ metadata, spec }: OwnerCluster): Request[] {
  const { kind, name } = spec?.infrastructureRef ?? {};
  if (kind !== "VSphereCluster" || !name) return [];
  return [{ name, ...(metadata.namespace && { namespace: metadata.namespace }) }];
}
