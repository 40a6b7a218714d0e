import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import type { ContractReference, OwnerCluster } from "@rookery/cluster-api";
import { type Clock, type ObjectKey, objectKeyOf } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { type NestedParts, ownerReader } from "../parts.ts";
import { clusters, controlPlanes } from "../resources.ts";

export interface ClusterScope extends LifecycleScope<NestedCluster> {
  readonly getOwner: (cluster: NestedCluster) => Promise<OwnerCluster | undefined>;
  readonly getControlPlane: (key: ObjectKey) => Promise<NestedControlPlane | undefined>;
  /** Sets the control plane of a Cluster without one, unless the Cluster has changed. */
  readonly setControlPlane: (owner: OwnerCluster, reference: ContractReference) => Promise<void>;
  readonly clock: Clock;
}

export function clusterScope(
  context: ReconcileContext<NestedCluster>,
  parts: NestedParts,
): ClusterScope {
  const { client, cache, get, commit } = context;
  return {
    get,
    commit,
    getOwner: ownerReader(clusters, context, parts),
    getControlPlane: (key) => cache.get<NestedControlPlane>(controlPlanes, key),
    setControlPlane: async (owner, controlPlaneRef) => {
      const { uid, resourceVersion } = owner.metadata;
      const patch = { metadata: { uid, resourceVersion }, spec: { controlPlaneRef } };
      const owners = client.resource<OwnerCluster>(parts.ownerClusters);
      await owners.patch(objectKeyOf(owner), { type: "merge", patch });
    },
    clock: parts.clock,
  };
}
