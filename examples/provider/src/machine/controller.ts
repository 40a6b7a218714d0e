import {
  clusterNameLabel,
  type OwnerCluster,
  type OwnerMachine,
  referredKeys,
} from "@rookery/cluster-api";
import { objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import { type Controller, type ControllerParts, controllerFor } from "@rookery/runtime";
import { machinesOf } from "../cluster-labels.ts";
import type { HostCluster } from "../kinds/host-cluster.ts";
import type { HostMachine } from "../kinds/host-machine.ts";
import { clusters, machines } from "../resources.ts";
import { machineLifecycle } from "./reconcile.ts";
import { type MachineParts, machineScope } from "./scope.ts";

const byCluster = "cluster";

/** Gives each HostMachine a host. Concurrency stays 1: see `claimHost`. */
export function createMachineController(parts: ControllerParts & MachineParts): Controller {
  const informer = parts.cache.informerFor<HostMachine>(machines);
  informer.addIndex(byCluster, clusterNames);
  const machinesOfCluster = (name: string, namespace: string) =>
    informer.list({ index: { name: byCluster, value: name }, namespace }).map(objectKeyOf);
  return controllerFor<HostMachine>(machines, parts)
    .watches<OwnerMachine>(parts.ownerMachines, (owner) =>
      referredKeys(owner, owner.spec?.infrastructureRef, machines),
    )
    .watches<OwnerCluster>(parts.ownerClusters, ({ metadata }) =>
      machinesOfCluster(metadata.name ?? "", metadata.namespace ?? ""),
    )
    .watches<HostCluster>(clusters, (cluster) =>
      informer.list(machinesOf(cluster)).map(objectKeyOf),
    )
    .watches<HostMachine>(
      machines,
      ({ metadata }: PartialObjectMetadata) =>
        machinesOfCluster(metadata.labels?.[clusterNameLabel] ?? "", metadata.namespace ?? ""),
      // The host of a deleted machine is free for machines that wait.
      (event) => event.type === "delete",
    )
    .reconcile(machineLifecycle, (context) => machineScope(context, parts));
}

/** Cluster API labels every machine with its Cluster. */
function clusterNames({ metadata }: HostMachine): string[] {
  const name = metadata.labels?.[clusterNameLabel];
  return name ? [name] : [];
}
