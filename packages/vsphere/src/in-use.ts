import { createHash } from "node:crypto";
import type { ObjectMeta } from "@rookery/kube";

const prefix = "infrastructure.cluster.x-k8s.io/vspherecluster-";

/**
 * What keeps an identity while a cluster uses it: one for each, since clusters come and go alone.
 * Short enough for a finalizer, whatever the names are.
 */
export function inUseFinalizer({ namespace = "", name = "" }: ObjectMeta): string {
  return `${prefix}${shortHash(`${namespace}/${name}`, 16)}`;
}

const secretPrefix = "infrastructure.cluster.x-k8s.io/vsphereclusteridentity-";

/**
 * What keeps the Secret of an identity while clusters of an instance use it. Instances have one each, as they
 * come and go alone, and may share a Secret; an instance is known by its namespace of credentials.
 */
export function secretFinalizer(identity: string, instance: string): string {
  return `${instancePrefix(instance)}${shortHash(identity, 16)}`;
}

/** One for each identity for whose clusters the instance keeps the Secret. */
export function secretFinalizers({ finalizers = [] }: ObjectMeta, instance: string): string[] {
  return finalizers.filter((finalizer) => finalizer.startsWith(instancePrefix(instance)));
}

function instancePrefix(instance: string): string {
  return `${secretPrefix}${shortHash(instance, 8)}-`;
}

function shortHash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** How many clusters use it. */
export function usersOf(metadata: ObjectMeta): number {
  return inUseFinalizers(metadata).length;
}

/** One for each cluster that uses it. */
export function inUseFinalizers({ finalizers = [] }: ObjectMeta): string[] {
  return finalizers.filter((finalizer) => finalizer.startsWith(prefix));
}
