import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import { clusterApiOwner, type OwnerCluster, referredKeys } from "@rookery/cluster-api";
import { objectKeyOf } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  generationChanged,
} from "@rookery/runtime";
import type { NestedParts } from "../parts.ts";
import { clusters, controlPlanes } from "../resources.ts";
import { clusterLifecycle } from "./reconcile.ts";
import { clusterScope } from "./scope.ts";

const byCluster = "cluster";

/** Watches NestedClusters, their owning Clusters, and the control planes of those. */
export function createClusterController(
  parts: ControllerParts & NestedParts,
  concurrency: number,
): Controller {
  const informer = parts.cache.informerFor<NestedCluster>(clusters);
  informer.addIndex(byCluster, ({ metadata }) => {
    const owner = clusterApiOwner(metadata, "Cluster");
    return owner ? [owner.name] : [];
  });
  return controllerFor<NestedCluster>(clusters, parts, { concurrency })
    .watches<OwnerCluster>(
      parts.ownerClusters,
      (owner) => referredKeys(owner, owner.spec?.infrastructureRef, clusters),
      generationChanged,
    )
    .watches<NestedControlPlane>(
      controlPlanes,
      ({ metadata: { namespace = "", name, ...metadata } }) => {
        const owner = clusterApiOwner(metadata, "Cluster");
        if (owner) {
          return informer
            .list({ index: { name: byCluster, value: owner.name }, namespace })
            .map(objectKeyOf);
        }
        // The control plane has no owner yet: NestedClusters may name it.
        return informer
          .list({ namespace })
          .filter(({ spec }) => spec?.controlPlaneRef?.name === name)
          .map(objectKeyOf);
      },
      generationChanged,
    )
    .reconcile(clusterLifecycle, (context) => clusterScope(context, parts));
}
