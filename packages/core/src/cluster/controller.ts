import type { Cluster, Machine } from "@rookery/api";
import { keyBeside } from "@rookery/kube";
import { type Controller, controllerFor, type Source } from "@rookery/runtime";
import { createPartWatch } from "../contract/part-watch.ts";
import type { CoreParts } from "../parts.ts";
import { clusters, machines } from "../resources.ts";
import { clusterLifecycle } from "./reconcile.ts";
import { clusterScope } from "./scope.ts";

/** Watches Clusters, their parts and Machines. `connections` requests a Cluster whose connection changed. */
export function createClusterController(
  parts: CoreParts,
  connections: Source,
  concurrency: number,
): Controller {
  const watchPart = createPartWatch<Cluster>(parts, {
    owner: clusters,
    referencesOf: ({ spec }) => [spec.infrastructureRef, spec.controlPlaneRef],
  });
  const controller = controllerFor<Cluster>(clusters, parts, { concurrency })
    .watches<Machine>(machines, (machine) => [keyBeside(machine, machine.spec.clusterName)])
    .from(connections)
    .reconcile(clusterLifecycle, (context) =>
      clusterScope(context, parts, (resource) => watchPart(controller, resource)),
    );
  return controller;
}
