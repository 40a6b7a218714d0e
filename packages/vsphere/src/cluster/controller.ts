import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { type OwnerCluster, referredKeys } from "@rookery/cluster-api";
import { objectKeyOf } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  isBeingDeleted,
  type Predicate,
} from "@rookery/runtime";
import { clustersNaming, watchIdentities } from "../credentials/identity-events.ts";
import { inUseFinalizer, inUseFinalizers } from "../in-use.ts";
import type { VSphereParts } from "../parts.ts";
import { clusters, identities, virtualMachines } from "../resources.ts";
import { clusterLifecycle } from "./reconcile.ts";
import { clusterScope } from "./scope.ts";

/** Keeps VSphereClusters connected with their vCenters. */
export function createClusterController(
  parts: ControllerParts & VSphereParts,
  concurrency: number,
): Controller {
  const { cache } = parts;
  const informer = cache.informerFor<VSphereCluster>(clusters);
  const builder = controllerFor<VSphereCluster>(clusters, parts, {
    concurrency,
    // A server that is slow holds up its own clusters, and those of its tenant.
    fairnessKey: (request) => [
      request.namespace ?? "",
      informer.get(request)?.spec?.server?.toLowerCase() ?? "",
    ],
  }).watches<OwnerCluster>(parts.ownerClusters, (owner) =>
    referredKeys(owner, owner.spec?.infrastructureRef, clusters),
  );
  return watchIdentities(builder, parts, (cluster) => [objectKeyOf(cluster)])
    .watches<VSphereClusterIdentity>(
      identities,
      ({ metadata }) =>
        clustersNaming(cache, { kind: "VSphereClusterIdentity", name: metadata.name ?? "" })
          .filter((cluster) => !metadata.finalizers?.includes(inUseFinalizer(cluster.metadata)))
          .map(objectKeyOf),
      hasLostUsers,
    )
    .watches(virtualMachines, ({ metadata }) =>
      informer
        .list({ namespace: metadata.namespace ?? "" })
        .filter(isBeingDeleted)
        .map(objectKeyOf),
    )
    .reconcile(clusterLifecycle, (context) => clusterScope(context, parts));
}

/** A finalizer may have been removed whose cluster still uses the identity. */
const hasLostUsers: Predicate<VSphereClusterIdentity> = (event) => {
  if (event.type !== "update") return false;
  const left = new Set(event.objectNew.metadata.finalizers);
  return inUseFinalizers(event.objectOld.metadata).some((one) => !left.has(one));
};
