import type { ComponentKey } from "@rookery/components";
import { findStatusCause, findStatusError, isNotFound, type KubeObject } from "@rookery/kube";
import { describeSet, only } from "../identity/namespace-set.ts";
import type { InstallState, OwnedEntry } from "../state/install-state.ts";
import type { InstanceWarning } from "./family.ts";

/**
 * On the RoleBindings of an instance in the namespaces of tenants. Kubernetes deletes the objects of a
 * namespace in any order: without a finalizer the manager could lose its rights before it has removed
 * the finalizers of its objects.
 */
export const rightsFinalizer = "management.cluster.x-k8s.io/rights";

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

/** Whether an object is the RoleBinding of an instance in the namespace of a tenant. */
export function isNamespaceRight(
  { kind, namespace }: Pick<ComponentKey, "kind" | "namespace">,
  ownNamespace: string | undefined,
): boolean {
  return kind === "RoleBinding" && namespace !== undefined && namespace !== ownNamespace;
}

/** Conditions with which Kubernetes does not count the remaining finalizers. */
const failures: ReadonlySet<string> = new Set([
  "NamespaceDeletionDiscoveryFailure",
  "NamespaceDeletionGroupVersionParsingFailure",
  "NamespaceDeletionContentFailure",
]);

/** Whether only rights are left, by the finalizers that a condition's message counts. */
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

/** Whether an object was rejected because its namespace does not exist or is being deleted. */
export function isNamespaceMissing(error: unknown): boolean {
  if (findStatusCause(error, "NamespaceTerminating") !== undefined) return true;
  return isNotFound(error) && findStatusError(error)?.status.details?.kind === "namespaces";
}

/** Recorded rights that were not applied, because their namespaces are missing. */
export function missingRights(
  owned: readonly OwnedEntry[],
  ownNamespace: string | undefined,
): readonly OwnedEntry[] {
  return owned.filter(
    (entry) => isNamespaceRight(entry, ownNamespace) && entry.content === undefined,
  );
}

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
