import type { Machine } from "@rookery/api";
import type { KubeObject, ObjectKey } from "@rookery/kube";
import type { Cache, ObjectEvent } from "@rookery/runtime";
import { machines } from "../resources.ts";
import type { Node } from "./node.ts";
import { machinesOf } from "./policies.ts";

/** The Machines of a cluster whose node has the name or the provider ID of the node of an event. */
export function machinesOfNode(
  cache: Cache,
  cluster: ObjectKey,
  event: ObjectEvent<KubeObject>,
): Machine[] {
  const { metadata, spec } = (event.type === "update" ? event.objectNew : event.object) as Node;
  return cache
    .informerFor<Machine>(machines)
    .list(machinesOf(cluster))
    .filter(
      (machine) =>
        machine.status?.nodeRef?.name === metadata.name ||
        (spec?.providerID !== undefined && machine.spec.providerID === spec.providerID),
    );
}
