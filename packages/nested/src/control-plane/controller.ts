import type { NestedControlPlane } from "@rookery/api";
import { clusterApiOwner, type OwnerCluster, refersTo } from "@rookery/cluster-api";
import {
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
  type Informer,
  type Logger,
  type MapFunction,
  type Metrics,
  type Predicate,
  type Request,
  type Source,
} from "@rookery/runtime";
import type { OfReconcile } from "../component/dependencies.ts";
import { moreThanConditionsChanged } from "../component/more-than-conditions-changed.ts";
import { moreThanStatusChanged } from "../component/more-than-status-changed.ts";
import { companionSecret, leafSecret, leaves, secretNames } from "../names.ts";
import { reportError } from "../report-error.ts";
import { apiServers, controllerManagers, controlPlanes, etcds } from "../resources.ts";
import { componentFields } from "./component.ts";
import { reconcileControlPlane } from "./reconcile.ts";
import type { ControlPlaneDependencies } from "./scope.ts";

export interface ControlPlaneControllerOptions {
  readonly cache: Cache;
  readonly ownerClusters: Resource;
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  /** Says that something has happened to the API server of a tenant. */
  readonly tenantChanges: Source;
  readonly dependencies: OfReconcile<ControlPlaneDependencies>;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** A controller that can learn of further kinds of components. */
export interface ControlPlaneController extends Controller {
  watchKind(resource: Resource): void;
}

const bySecret = "secret";
const byComponent = "component";

/** Watches all that a control plane is made of, so that it never has to ask. */
export function createControlPlaneController(
  options: ControlPlaneControllerOptions,
): ControlPlaneController {
  const { cache, secretMetadata } = options;
  const informer = cache.informerFor<NestedControlPlane>(controlPlanes);
  informer.addIndex(bySecret, secretsOf);
  informer.addIndex(byComponent, componentsOf);
  const users = (index: string, value: string, namespace = ""): Request[] =>
    informer.list({ index: { name: index, value }, namespace }).map(objectKeyOf);
  const toComponentUser = enqueueRequestsFromMapFunction(usersOfComponent(informer));
  const componentSource = (resource: Resource, predicates: readonly Predicate<KubeObject>[] = []) =>
    createInformerSource({
      informer: cache.informerFor<KubeObject>(resource),
      predicates,
      handler: toComponentUser,
    });
  const controller = createController({
    name: "nestedcontrolplane",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({
        informer,
        predicates: [moreThanStatusChanged],
        handler: enqueueRequestForObject(),
      }),
      createInformerSource({
        informer: cache.informerFor<OwnerCluster>(options.ownerClusters),
        predicates: [generationChanged],
        handler: enqueueRequestsFromMapFunction(controlPlaneOf),
      }),
      ...[etcds, apiServers, controllerManagers].map((resource) =>
        componentSource(resource, [moreThanConditionsChanged]),
      ),
      createInformerSource({
        informer: secretMetadata,
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          users(bySecret, metadata.name ?? "", metadata.namespace),
        ),
      }),
      options.tenantChanges,
    ],
    metrics: options.metrics.controller("nestedcontrolplane"),
    logger: options.logger,
    reconcile: (request, signal) =>
      reconcileControlPlane(request, options.dependencies(signal), signal),
    reportError: (failed) => {
      const { getControlPlane, ...dependencies } = options.dependencies(failed.signal);
      return reportError(failed, { ...dependencies, get: getControlPlane });
    },
  });
  // Not waited for: a kind that may not be watched must not hold up the others.
  const watchKind = (resource: Resource) => {
    controller.watch(componentSource(resource)).catch((error: unknown) => {
      options.logger.error(error, "Could not watch a foreign kind", { kind: resource.kind });
    });
  };
  return Object.assign(controller, { watchKind });
}

/** Maps a component to the control planes that name it. */
export function usersOfComponent(informer: Informer<NestedControlPlane>): MapFunction<KubeObject> {
  return ({ kind, metadata: { name, namespace = "" } }) =>
    informer
      .list({ index: { name: byComponent, value: `${kind}/${name}` }, namespace })
      .map(objectKeyOf);
}

function secretsOf({ metadata }: NestedControlPlane): string[] {
  const owner = clusterApiOwner(metadata, "Cluster");
  if (!owner) return [];
  const companions = leaves.map((leaf) => companionSecret(leafSecret(owner.name, leaf)));
  return [...secretNames(owner.name), ...companions];
}

function componentsOf({ spec }: NestedControlPlane): string[] {
  return componentFields.flatMap((field) => {
    const reference = spec[field];
    return reference ? [`${reference.kind}/${reference.name}`] : [];
  });
}

/** The NestedControlPlane that a Cluster names. */
function controlPlaneOf({ metadata, spec }: OwnerCluster): Request[] {
  const reference = spec?.controlPlaneRef;
  if (!refersTo(reference, controlPlanes)) return [];
  const { namespace } = metadata;
  return [{ name: reference.name, ...(namespace && { namespace }) }];
}
