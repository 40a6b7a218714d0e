import { isOwnedAndNamedBy, type OwnerCluster, readOwner } from "@rookery/cluster-api";
import type { Clock, KubeObject, Resource } from "@rookery/kube";
import type { ReconcileContext } from "@rookery/runtime";

export interface NestedParts {
  /** The Clusters of Cluster API, in the preferred version. */
  readonly ownerClusters: Resource;
  readonly clock: Clock;
}

/** Returns a function that reads the Cluster that owns and names an object of a resource. */
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
