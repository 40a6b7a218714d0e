import type { Machine } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { NodeError } from "../errors.ts";
import { nodes } from "../resources.ts";

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
