import type { VSphereMachine, VSphereVM } from "@rookery/api";
import {
  clusterNameLabel,
  type OwnerCluster,
  type OwnerMachine,
  referredKeys,
} from "@rookery/cluster-api";
import { objectKeyOf } from "@rookery/kube";
import { byOwnerUid, type Controller, type ControllerParts, controllerFor } from "@rookery/runtime";
import { machines, virtualMachines } from "../resources.ts";
import { machineLifecycle } from "./reconcile.ts";
import { byOwner, type MachineParts, machineScope } from "./scope.ts";

const byCluster = "cluster";

/** Gives each VSphereMachine a VSphereVM. */
export function createMachineController(
  parts: ControllerParts & MachineParts,
  concurrency: number,
): Controller {
  const { cache, ownerClusters, ownerMachines } = parts;
  cache.informerFor<VSphereVM>(virtualMachines).addIndex(byOwner, byOwnerUid);
  const informer = cache.informerFor<VSphereMachine>(machines);
  informer.addIndex(byCluster, clusterNames);
  return controllerFor<VSphereMachine>(machines, parts, { concurrency })
    .owns(virtualMachines, { controllerOnly: false })
    .watches<OwnerMachine>(ownerMachines, (owner) =>
      referredKeys(owner, owner.spec?.infrastructureRef, machines),
    )
    .watches<OwnerCluster>(ownerClusters, ({ metadata }) => {
      const index = { name: byCluster, value: metadata.name ?? "" };
      return informer.list({ index, namespace: metadata.namespace ?? "" }).map(objectKeyOf);
    })
    .reconcile(machineLifecycle, (context) => machineScope(context, parts));
}

/** Cluster API labels every machine with its Cluster. */
function clusterNames({ metadata }: VSphereMachine): string[] {
  const name = metadata.labels?.[clusterNameLabel];
  return name ? [name] : [];
}
