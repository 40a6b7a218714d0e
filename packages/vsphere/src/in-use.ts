import { createHash } from "node:crypto";
import type { ObjectMeta } from "@rookery/kube";

const prefix = "infrastructure.cluster.x-k8s.io/vspherecluster-";

/**
 * The finalizer that keeps an identity while a cluster uses it. Each cluster has its own, since clusters are created
 * and deleted one by one. A hash keeps it short enough for a finalizer.
 */
export function inUseFinalizer({ namespace = "", name = "" }: ObjectMeta): string {
  return `${prefix}${shortHash(`${namespace}/${name}`, 16)}`;
}

const secretPrefix = "infrastructure.cluster.x-k8s.io/vsphereclusteridentity-";

/**
 * The finalizer that keeps the Secret of an identity while clusters of an instance use it. Instances, which may share
 * a Secret, have one each; an instance is known by its namespace of credentials.
 */
export function secretFinalizer(identity: string, instance: string): string {
  return `${instancePrefix(instance)}${shortHash(identity, 16)}`;
}

/** The finalizers of an instance on a Secret: one for each identity whose clusters use the Secret. */
export function secretFinalizers({ finalizers = [] }: ObjectMeta, instance: string): string[] {
  return finalizers.filter((finalizer) => finalizer.startsWith(instancePrefix(instance)));
}

function instancePrefix(instance: string): string {
  return `${secretPrefix}${shortHash(instance, 8)}-`;
}

function shortHash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** The number of clusters that use an object. */
export function usersOf(metadata: ObjectMeta): number {
  return inUseFinalizers(metadata).length;
}

/** The finalizers of the clusters that use an object. */
export function inUseFinalizers({ finalizers = [] }: ObjectMeta): string[] {
  return finalizers.filter((finalizer) => finalizer.startsWith(prefix));
}
