import { isOwnedAndNamedBy, type OwnerCluster, readOwner } from "@rookery/cluster-api";
import type { Clock, KubeObject, Resource } from "@rookery/kube";
import type { ReconcileContext } from "@rookery/runtime";

/** What the controllers of the provider share. */
export interface NestedParts {
  /** The Clusters of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  readonly clock: Clock;
}

/** Reads the Cluster that owns an object of a resource and refers to it; undefined where there is none. */
export function ownerReader(
  resource: Resource,
  { cache }: Pick<ReconcileContext<KubeObject>, "cache">,
  { ownerClusters }: Pick<NestedParts, "ownerClusters">,
): (object: KubeObject) => Promise<OwnerCluster | undefined> {
  return async (object) => {
    const owner = await readOwner(object, "Cluster", (key) =>
      cache.get<OwnerCluster>(ownerClusters, key),
    );
    return owner && isOwnedAndNamedBy(object, owner, resource) ? owner : undefined;
  };
}
