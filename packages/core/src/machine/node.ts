import type { Machine } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { KubeObject, ObjectKey } from "@rookery/kube";
import type { Cache, ObjectEvent } from "@rookery/runtime";
import { NodeError } from "../errors.ts";
import { machines, nodes } from "../resources.ts";
import { machinesOf } from "./policies.ts";

export interface Taint {
  readonly key: string;
  readonly effect: string;
  readonly value?: string;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** The fields of a corev1.Node that the core reads. */
export interface Node extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly conditions?: readonly NodeCondition[];
    readonly nodeInfo?: NonNullable<NonNullable<Machine["status"]>["nodeInfo"]>;
    readonly volumesAttached?: readonly { readonly name: string }[];
  };
}

/** The node with a provider ID. Rejects with a NodeError where there are several. */
export async function nodeWith(client: Client, providerID: string): Promise<Node | undefined> {
  const { items } = await client.resource<Node>(nodes).listAll();
  const found = items.filter(({ spec }) => spec?.providerID === providerID);
  if (found.length > 1) {
    throw new NodeError(
      `could not find the node of a machine: ${found.length} nodes have the provider ID ${providerID}`,
    );
  }
  return found[0];
}

/** Whether the kubelet has stopped to report. */
export function isUnreachable({ status }: Node): boolean {
  return status?.conditions?.find(({ type }) => type === "Ready")?.status === "Unknown";
}

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
