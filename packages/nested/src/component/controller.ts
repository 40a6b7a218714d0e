import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { clusterNameLabel } from "@rookery/cluster-api";
import {
  controllerOf,
  type KubeObject,
  objectKeyOf,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import {
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type FailedReconcile,
  type Informer,
  type Predicate,
  type Request,
  type Result,
  type Source,
} from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { type Component, companionSecret, componentLabel } from "../names.ts";
import { apiServers, controllerManagers, controlPlanes, etcds, pods } from "../resources.ts";
import { moreThanConditionsChanged } from "./more-than-conditions-changed.ts";
import { moreThanStatusChanged } from "./more-than-status-changed.ts";
import { type ComponentControllerOptions, informerOfComponents } from "./scope.ts";

export interface ComponentControllerKind {
  readonly component: Component;
  readonly resource: Resource;
  /** What a component is made of, besides pods. */
  readonly parts: readonly Resource[];
  /** Whether it looks at its pods, and not only at what has made them. */
  readonly followsPods: boolean;
  /** The names of the Secrets that it looks at. */
  secrets(cluster: string): readonly string[];
  reconcile(request: Request, signal: AbortSignal): Promise<Result>;
  reportError(failed: FailedReconcile): Promise<void>;
}

const byCluster = "cluster";
const byControlPlane = "controlPlane";
const bySecret = "secret";

/** A controller of components: it hears of all that one is made of, and of all that it waits for. */
export function createComponentController(
  kind: ComponentControllerKind,
  options: ComponentControllerOptions,
): Controller {
  const { resource, component } = kind;
  const { cache } = options;
  const informer = cache.informerFor<ComponentObject>(resource);
  informer.addIndex(byCluster, clusterNames);
  informer.addIndex(byControlPlane, controllerUids);
  informer.addIndex(bySecret, (object) =>
    clusterNames(object).flatMap(kind.secrets).flatMap(withCompanion),
  );
  const find = (name: string, value: string | undefined, namespace = ""): Request[] =>
    value ? informer.list({ index: { name, value }, namespace }).map(objectKeyOf) : [];
  const ofCluster = ({ metadata }: KubeObject) =>
    metadata.labels?.[componentLabel] === component
      ? find(byCluster, metadata.labels[clusterNameLabel], metadata.namespace)
      : [];
  const name = resource.kind.toLowerCase();
  return createController({
    name,
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({
        informer,
        predicates: [moreThanStatusChanged],
        handler: enqueueRequestForObject(),
      }),
      ...kind.parts.map((part) => mapped(informerOfComponents<KubeObject>(cache, part), ofCluster)),
      mapped(informerOfComponents<KubeObject>(cache, pods), ofCluster, [
        kind.followsPods ? always : isGone,
      ]),
      ...beside(options, resource, (uid, namespace) => find(byControlPlane, uid, namespace)),
      mapped<OwnerCluster>(
        cache.informerFor(options.ownerClusters),
        ({ metadata }) => find(byCluster, metadata.name, metadata.namespace),
        [moreThanStatusChanged],
      ),
      mapped<PartialObjectMetadata>(options.secretMetadata, ({ metadata }) =>
        find(bySecret, metadata.name, metadata.namespace),
      ),
    ],
    metrics: options.metrics.controller(name),
    logger: options.logger,
    reconcile: (request, signal) => kind.reconcile(request, signal),
    reportError: (failed) => kind.reportError(failed),
  });
}

/** The control plane and the other components of it. */
function beside(
  { cache }: ComponentControllerOptions,
  own: Resource,
  find: (uid: string | undefined, namespace: string | undefined) => Request[],
): Source[] {
  const siblings = [etcds, apiServers, controllerManagers].filter((one) => one.kind !== own.kind);
  return [
    mapped<NestedControlPlane>(
      cache.informerFor(controlPlanes),
      ({ metadata }) => find(metadata.uid, metadata.namespace),
      [moreThanConditionsChanged],
    ),
    ...siblings.map((resource) =>
      mapped<ComponentObject>(
        cache.informerFor(resource),
        (sibling) => find(controllerOf(sibling)?.uid, sibling.metadata.namespace),
        [moreThanConditionsChanged],
      ),
    ),
  ];
}

function mapped<T extends KubeObject>(
  informer: Informer<T>,
  map: (object: T) => Request[],
  predicates: readonly Predicate<T>[] = [],
): Source {
  const handler = enqueueRequestsFromMapFunction(map);
  return createInformerSource({ informer, predicates, handler });
}

const always: Predicate<KubeObject> = () => true;
/** A component that is deleted waits for its pods. */
const isGone: Predicate<KubeObject> = ({ type }) => type === "delete";

/** Control planes make companions of Secrets that somebody supplied. */
const withCompanion = (secret: string) => [secret, companionSecret(secret)];

function clusterNames({ metadata }: KubeObject): string[] {
  const name = metadata.labels?.[clusterNameLabel];
  return name ? [name] : [];
}

function controllerUids(object: KubeObject): string[] {
  const uid = controllerOf(object)?.uid;
  return uid ? [uid] : [];
}
