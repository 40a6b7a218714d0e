import type { Cluster, Machine } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { type Controller, controllerFor, type Source } from "@rookery/runtime";
import { createPartWatch } from "../contract/part-watch.ts";
import type { CoreParts } from "../parts.ts";
import { clusters, machines } from "../resources.ts";
import { machinesOf } from "./policies.ts";
import { machineLifecycle } from "./reconcile.ts";
import { machineScope } from "./scope.ts";

/** Watches Machines, their parts and Clusters. `workloads` requests Machines whose connection or node changed. */
export function createMachineController(
  parts: CoreParts,
  workloads: Source,
  concurrency: number,
): Controller {
  const informer = parts.cache.informerFor<Machine>(machines);
  const watchPart = createPartWatch<Machine>(parts, {
    owner: machines,
    referencesOf: ({ spec }) => [spec.infrastructureRef, spec.bootstrap.configRef],
  });
  const controller = controllerFor<Machine>(machines, parts, { concurrency })
    .watches<Cluster>(clusters, (cluster) =>
      informer.list(machinesOf(objectKeyOf(cluster))).map(objectKeyOf),
    )
    .from(workloads)
    .reconcile(machineLifecycle, (context) =>
      machineScope(context, parts, (resource) => watchPart(controller, resource)),
    );
  return controller;
}
