import type { ObjectMeta } from "@rookery/kube";
import { type Component, selectorLabels, workloadName } from "../names.ts";

/** What all objects of a component have in common. */
export interface ObjectIdentity {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly labels: Readonly<Record<string, string>>;
}

export interface Place {
  /** The name of the Cluster. */
  readonly cluster: string;
  readonly namespace: string;
}

/** The objects of a component have one name, in the namespace of the control plane. */
export function identityOf(component: Component, { cluster, namespace }: Place): ObjectIdentity {
  const labels = selectorLabels(cluster, component);
  return { labels, metadata: { name: workloadName(cluster, component), namespace, labels } };
}
