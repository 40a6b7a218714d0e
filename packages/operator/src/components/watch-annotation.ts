import type { ObjectMeta } from "@rookery/kube";
import type { NamespaceScope } from "@rookery/runtime";
import { everyNamespace, type NamespaceSet, setOf } from "../identity/namespace-set.ts";

const prefix = "management.cluster.x-k8s.io";

/** On the pods and the record of an instance: its scope, as JSON. */
export const watchAnnotation = `${prefix}/watch`;
/** On the record of an instance: the namespaces that its webhooks admit, as JSON. */
export const admitsAnnotation = `${prefix}/admits`;
/** On the record of an instance: "Cluster" or "Namespaced". */
export const rightsAnnotation = `${prefix}/rbac`;
/** On the pods of all instances: the value of the provider label. */
export const instancePodLabel = `${prefix}/instance-of`;
/** On shared CRDs: "<namespace>/<name>" of the instance with the conversion webhook. */
export const firstInstanceAnnotation = `${prefix}/first-instance`;

/** The watched namespaces; without the annotation, all of them. */
export function watchedBy({ annotations = {} }: ObjectMeta): NamespaceSet {
  return readScope(annotations[watchAnnotation]) ?? everyNamespace;
}

export function readScope(text: string | undefined): NamespaceSet | undefined {
  if (text === undefined) return undefined;
  try {
    return setOf(JSON.parse(text) as NamespaceScope);
  } catch {
    return undefined;
  }
}
