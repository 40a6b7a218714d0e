import {
  clusterApiOwner,
  clusterNameLabel,
  type OwnerCluster,
  referredKeys,
} from "@rookery/cluster-api";
import { objectKeyOf } from "@rookery/kube";
import { type Controller, type ControllerParts, controllerFor } from "@rookery/runtime";
import type { HostCluster } from "../kinds/host-cluster.ts";
import type { HostMachine } from "../kinds/host-machine.ts";
import { clusters, machines } from "../resources.ts";
import { clusterLifecycle } from "./reconcile.ts";
import { type ClusterParts, clusterScope } from "./scope.ts";

const byOwnerName = "owner-name";

/** Keeps the status of HostClusters. */
export function createClusterController(parts: ControllerParts & ClusterParts): Controller {
  const informer = parts.cache.informerFor<HostCluster>(clusters);
  informer.addIndex(byOwnerName, ownerNames);
  return controllerFor<HostCluster>(clusters, parts)
    .watches<OwnerCluster>(parts.ownerClusters, (owner) =>
      referredKeys(owner, owner.spec?.infrastructureRef, clusters),
    )
    .watches<HostMachine>(machines, ({ metadata: { namespace = "", labels = {} } }) => {
      const index = { name: byOwnerName, value: labels[clusterNameLabel] ?? "" };
      return informer.list({ namespace, index }).map(objectKeyOf);
    })
    .reconcile(clusterLifecycle, (context) => clusterScope(context, parts));
}

function ownerNames({ metadata }: HostCluster): string[] {
  const owner = clusterApiOwner(metadata, "Cluster");
  return owner ? [owner.name] : [];
}
