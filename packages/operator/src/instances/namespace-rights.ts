import type { ComponentKey } from "@rookery/components";
import { findStatusCause, findStatusError, isNotFound, type KubeObject } from "@rookery/kube";
import { describeSet, only } from "../identity/namespace-set.ts";
import type { InstallState, OwnedEntry } from "../state/install-state.ts";
import type { InstanceWarning } from "./instance-warning.ts";

/**
 * On the RoleBindings that an instance has in the namespaces of its tenants. Kubernetes empties a
 * namespace in any order: without a finalizer the rights would go before the objects whose finalizers
 * the manager has yet to take off.
 */
export const rightsFinalizer = "management.cluster.x-k8s.io/rights";

/** A Namespace, in the parts that are used here. */
export type Namespace = KubeObject<
  unknown,
  {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  }
>;

/** Whether an object gives the account of an instance its rights in the namespace of a tenant. */
export function isNamespaceRight(
  { kind, namespace }: Pick<ComponentKey, "kind" | "namespace">,
  ownNamespace: string | undefined,
): boolean {
  return kind === "RoleBinding" && namespace !== undefined && namespace !== ownNamespace;
}

/** What of a deletion failed altogether: finalizers there are not counted. */
const failures: ReadonlySet<string> = new Set([
  "NamespaceDeletionDiscoveryFailure",
  "NamespaceDeletionGroupVersionParsingFailure",
  "NamespaceDeletionContentFailure",
]);

/**
 * Whether nothing but rights is left in a namespace that is being deleted. Kubernetes says so in
 * one place alone: by the finalizers that a message counts. As long as it does not say so, rights stay.
 */
export function needsNoRights({ metadata, status }: Namespace): boolean {
  if (metadata.deletionTimestamp === undefined) return true;
  const bad = (status?.conditions ?? []).filter((condition) => condition.status === "True");
  if (bad.some(({ type }) => failures.has(type))) return false;
  const { message = "" } = bad.find(({ type }) => type === "NamespaceFinalizersRemaining") ?? {};
  const finalizers = Array.from(
    message.matchAll(/(\S+) in \d+ resource instances/g),
    ([, one]) => one,
  );
  return finalizers.length > 0 && finalizers.every((one) => one === rightsFinalizer);
}

/** Whether an object was refused because its namespace is not there, or is being deleted. */
export function isNamespaceMissing(error: unknown): boolean {
  if (findStatusCause(error, "NamespaceTerminating") !== undefined) return true;
  return isNotFound(error) && findStatusError(error)?.status.details?.kind === "namespaces";
}

/** The rights that could not be given, because their namespaces are missing. */
export function missingRights(
  owned: readonly OwnedEntry[],
  ownNamespace: string | undefined,
): readonly OwnedEntry[] {
  return owned.filter(
    (entry) => isNamespaceRight(entry, ownNamespace) && entry.content === undefined,
  );
}

/** Which namespaces an installed instance has no rights in. */
export function missingNamespaceWarnings(
  { owned, phase }: InstallState,
  ownNamespace: string | undefined,
): readonly InstanceWarning[] {
  if (phase !== "Stable" && phase !== "Verifying") return [];
  const missing = missingRights(owned, ownNamespace).map(({ namespace = "" }) => namespace);
  if (missing.length === 0) return [];
  const message =
    `${describeSet(only(missing))}: not there or being deleted, and the account has no rights there; ` +
    "make it again, or take it out of spec.watch.namespaces";
  return [{ reason: "NamespaceMissing", message }];
}
