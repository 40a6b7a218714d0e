import type { NestedControlPlane } from "@rookery/api";
import { clusterNameLabel, type OwnerCluster } from "@rookery/cluster-api";
import { controllerOf, type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  type Controller,
  type ControllerBuilder,
  type ControllerParts,
  controllerFor,
  type Lifecycle,
  type Predicate,
  type ReconcileContext,
  type Request,
} from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { type Component, companionSecret, componentLabel } from "../names.ts";
import { SecretMemo } from "../pki/secret-memo.ts";
import { apiServers, controllerManagers, controlPlanes, etcds, pods } from "../resources.ts";
import { moreThanConditionsChanged, moreThanStatusChanged } from "./predicates.ts";
import {
  type ComponentParts,
  type ComponentScope,
  componentScope,
  informerOfComponents,
} from "./scope.ts";
import type { SecretInputs, SecretNeeds } from "./secret-inputs.ts";

export type ComponentControllerParts = ControllerParts & ComponentParts;

/** The differences between the controllers of the three kinds of components. */
export interface ComponentKind<T extends ComponentObject, Scope> {
  readonly component: Component;
  readonly resource: Resource;
  /** The resources of the objects of a component, besides pods. */
  readonly objectResources: readonly Resource[];
  /** Whether it reads its pods, and not only the objects that create them. */
  readonly followsPods: boolean;
  readonly secrets: readonly ((cluster: string) => SecretNeeds)[];
  readonly lifecycle: Lifecycle<Scope>;
  scopeOf(shared: ComponentScope<T>, context: ReconcileContext<T>): Scope;
}

const byCluster = "cluster";
const byControlPlane = "controlPlane";
const bySecret = "secret";

/** Watches the components of a kind, their objects, and all objects that they depend on. */
export function createComponentController<T extends ComponentObject, Scope>(
  kind: ComponentKind<T, Scope>,
  parts: ComponentControllerParts,
  concurrency: number,
): Controller {
  const { cache, secretMetadata, clock } = parts;
  const find = indexComponents(kind, parts);
  const ofCluster = ({ metadata: { labels = {}, namespace } }: KubeObject) =>
    labels[componentLabel] === kind.component
      ? find(byCluster, labels[clusterNameLabel], namespace)
      : [];
  const versionOf = (namespace: string, name: string) =>
    secretMetadata.get({ namespace, name })?.metadata.resourceVersion;
  const memo = new SecretMemo<SecretInputs>(versionOf, clock);
  const builder = controllerFor<T>(kind.resource, parts, {
    concurrency,
    predicates: [moreThanStatusChanged],
  })
    .watches(informerOfComponents(cache, pods), ofCluster, kind.followsPods ? always : isDeleted)
    .watches<OwnerCluster>(
      parts.ownerClusters,
      ({ metadata }) => find(byCluster, metadata.name, metadata.namespace),
      moreThanStatusChanged,
    )
    .watches(secretMetadata, ({ metadata }) => find(bySecret, metadata.name, metadata.namespace));
  for (const resource of kind.objectResources) {
    builder.watches(informerOfComponents(cache, resource), ofCluster);
  }
  watchControlPlane(builder, kind, find);
  return builder.reconcile(kind.lifecycle, (context) =>
    kind.scopeOf(componentScope(context, { ...parts, memo }), context),
  );
}

type Find = (index: string, value: string | undefined, namespace: string | undefined) => Request[];

function indexComponents<T extends ComponentObject, Scope>(
  { resource, secrets }: ComponentKind<T, Scope>,
  { cache }: ControllerParts,
): Find {
  const informer = cache.informerFor<ComponentObject>(resource);
  informer.addIndex(byCluster, clusterNames);
  informer.addIndex(byControlPlane, controllerUids);
  informer.addIndex(bySecret, (object) =>
    clusterNames(object)
      .flatMap((cluster) => secrets.flatMap((needsOf) => Object.keys(needsOf(cluster).keys)))
      .flatMap(withCompanion),
  );
  return (name, value, namespace = "") =>
    value ? informer.list({ index: { name, value }, namespace }).map(objectKeyOf) : [];
}

/** Watches the control plane and its other components. */
function watchControlPlane<T extends ComponentObject, Scope>(
  builder: ControllerBuilder<T>,
  { resource: own }: ComponentKind<T, Scope>,
  find: Find,
): void {
  builder.watches<NestedControlPlane>(
    controlPlanes,
    ({ metadata }) => find(byControlPlane, metadata.uid, metadata.namespace),
    moreThanConditionsChanged,
  );
  for (const resource of [etcds, apiServers, controllerManagers]) {
    if (resource.kind === own.kind) continue;
    builder.watches<ComponentObject>(
      resource,
      (sibling) => find(byControlPlane, controllerOf(sibling)?.uid, sibling.metadata.namespace),
      moreThanConditionsChanged,
    );
  }
}

const always: Predicate<KubeObject> = () => true;
/** The deletion of a component waits for its pods. */
const isDeleted: Predicate<KubeObject> = ({ type }) => type === "delete";

/** Control planes create companions of supplied Secrets. */
const withCompanion = (secret: string) => [secret, companionSecret(secret)];

function clusterNames({ metadata }: KubeObject): string[] {
  const name = metadata.labels?.[clusterNameLabel];
  return name ? [name] : [];
}

function controllerUids(object: KubeObject): string[] {
  const uid = controllerOf(object)?.uid;
  return uid ? [uid] : [];
}
