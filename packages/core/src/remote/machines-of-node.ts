import type { Machine } from "@rookery/api";
import { clusterNameLabel } from "@rookery/cluster-api";
import { type KubeObject, labelSelectorFromSet, type ObjectKey } from "@rookery/kube";
import type { Cache, ObjectEvent } from "@rookery/runtime";
import type { Node } from "../machine/node.ts";
import { machines } from "../resources.ts";

/** The Machines of a cluster that a node is of, by its name or its provider ID. */
export function machinesOfNode(
  cache: Cache,
  { namespace = "", name }: ObjectKey,
  event: ObjectEvent<KubeObject>,
): Machine[] {
  const { metadata, spec } = (event.type === "update" ? event.objectNew : event.object) as Node;
  const labels = labelSelectorFromSet({ [clusterNameLabel]: name });
  return cache
    .informerFor<Machine>(machines)
    .list({ namespace, labels })
    .filter(
      (machine) =>
        machine.status?.nodeRef?.name === metadata.name ||
        (spec?.providerID !== undefined && machine.spec.providerID === spec.providerID),
    );
}
