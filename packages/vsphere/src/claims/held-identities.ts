import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import type { Cache, Request } from "@rookery/runtime";
import { inUseFinalizer, inUseFinalizers } from "../in-use.ts";
import { clusters, identities } from "../resources.ts";

/** Identities by the finalizers of their users, and clusters by the finalizer that they use. */
const byUser = "user";

type Informers = Pick<Cache, "informerFor">;

/** Adds the indexes that the functions below read. */
export function indexUsers(cache: Informers): void {
  const held = cache.informerFor<VSphereClusterIdentity>(identities);
  held.addIndex(byUser, ({ metadata }) => inUseFinalizers(metadata));
  const users = cache.informerFor<VSphereCluster>(clusters);
  users.addIndex(byUser, ({ metadata }) => [inUseFinalizer(metadata)]);
}

/** The identities that are held for a cluster. */
export function heldFor(cache: Informers, cluster: Request): readonly VSphereClusterIdentity[] {
  const index = { name: byUser, value: inUseFinalizer(cluster) };
  return cache.informerFor<VSphereClusterIdentity>(identities).list({ index });
}

/**
 * The finalizers of clusters on an identity whose clusters are gone. None where the instance does not watch all
 * clusters, or has not seen them yet: it cannot know.
 */
export function goneUsers(
  cache: Informers & Pick<Cache, "scope">,
  { metadata }: VSphereClusterIdentity,
): string[] {
  const informer = cache.informerFor<VSphereCluster>(clusters);
  if (cache.scope.type !== "all" || !informer.hasSynced) return [];
  return inUseFinalizers(metadata).filter(
    (value) => informer.list({ index: { name: byUser, value } }).length === 0,
  );
}
