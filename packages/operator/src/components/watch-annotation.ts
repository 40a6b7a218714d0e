import type { ObjectMeta } from "@rookery/kube";
import type { NamespaceScope } from "@rookery/runtime";
import { everyNamespace, type NamespaceSet, setOf } from "../identity/namespace-set.ts";

const prefix = "management.cluster.x-k8s.io";

/** On the pods of an instance, and on the record of it: the scope that they have, as JSON. */
export const watchAnnotation = `${prefix}/watch`;
/** On the record of an instance: the namespaces that its webhooks surely admit, as JSON. */
export const admitsAnnotation = `${prefix}/admits`;
/** On the record of an instance: where its account has its rights. */
export const rightsAnnotation = `${prefix}/rbac`;
/** On the pods of all instances, with the value of cluster.x-k8s.io/provider: what to listen to. */
export const instancePodLabel = `${prefix}/instance-of`;
/** On shared CRDs: "<namespace>/<name>" of the instance that converts for all. */
export const firstInstanceAnnotation = `${prefix}/first-instance`;

/** What metadata says is watched. Who does not say watches everything: it was there before instances. */
export function watchedBy({ annotations = {} }: ObjectMeta): NamespaceSet {
  return readScope(annotations[watchAnnotation]) ?? everyNamespace;
}

/** Undefined where it is no scope. */
export function readScope(text: string | undefined): NamespaceSet | undefined {
  if (text === undefined) return undefined;
  try {
    return setOf(JSON.parse(text) as NamespaceScope);
  } catch {
    return undefined;
  }
}
