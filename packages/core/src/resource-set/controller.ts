import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import { type KubeObject, objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  type ControllerParts,
  controllerFor,
  deleteObject,
  done,
  isBeingDeleted,
  type ReconcileContext,
  type Request,
  type Result,
  type Source,
} from "@rookery/runtime";
import type { CoreParts } from "../parts.ts";
import { clusters, configMaps, resourceSetBindings, resourceSets } from "../resources.ts";
import { selects } from "./policies.ts";
import { resourceSetLifecycle } from "./reconcile.ts";
import { resourceSetScope } from "./scope.ts";

const byResource = "resource";

/** Watches ClusterResourceSets, their Clusters and resources. `connections` requests the sets of a changed Cluster. */
export function createResourceSetController(
  parts: CoreParts,
  connections: Source,
  concurrency: number,
): Controller {
  const { cache, secretMetadata } = parts;
  const informer = cache.informerFor<ClusterResourceSet>(resourceSets);
  informer.addIndex(byResource, ({ spec }: ClusterResourceSet) =>
    spec.resources.map(({ kind, name }) => `${kind}/${name}`),
  );
  const setsNaming =
    (kind: string) =>
    ({ metadata: { namespace = "", name } }: PartialObjectMetadata) => {
      const index = { name: byResource, value: `${kind}/${name}` };
      return informer.list({ namespace, index }).map(objectKeyOf);
    };
  return controllerFor<ClusterResourceSet>(resourceSets, parts, { concurrency })
    .watches<Cluster>(clusters, (cluster) => setsFor(cache, cluster))
    .watches(cache.metadataInformerFor(configMaps), setsNaming("ConfigMap"))
    .watches(secretMetadata, setsNaming("Secret"))
    .from(connections)
    .reconcile(resourceSetLifecycle, (context) => resourceSetScope(context, parts));
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

/** Deletes the binding of a Cluster that is being deleted or gone. */
export function createBindingController(parts: ControllerParts): Controller {
  return controllerFor<ClusterResourceSetBinding>(resourceSetBindings, parts)
    .watches(clusters, (cluster) => [objectKeyOf(cluster)])
    .reconcile(reconcileBinding);
}

async function reconcileBinding(
  request: Request,
  { client, cache, get }: ReconcileContext<ClusterResourceSetBinding>,
): Promise<Result> {
  const binding = await get(request);
  if (!binding || isBeingDeleted(binding)) return done;
  const key = { ...request, name: binding.spec.clusterName };
  const cluster = await cache.get<Cluster>(clusters, key);
  if (!cluster || isBeingDeleted(cluster)) {
    await deleteObject(client.resource(resourceSetBindings), binding);
  }
  return done;
}
