import type { ClusterRole, ClusterRoleBinding, RbacSubject } from "@rookery/api";
import { deepEqual, type KubeObject } from "@rookery/kube";
import { uncoveredRules } from "./covers.ts";

/** The operation that brings a role or binding to its expected state. */
export type Reconciliation =
  | { readonly operation: "none" }
  | { readonly operation: "create" | "update" | "recreate"; readonly object: KubeObject };

const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

/**
 * Reconciles a default role or binding like the start of kube-apiserver: adds what is missing,
 * keeps additions, and skips objects that opted out.
 */
export function reconcilePolicy(
  existing: KubeObject | undefined,
  expected: KubeObject,
): Reconciliation {
  if (existing === undefined) return { operation: "create", object: expected };
  if (existing.metadata.annotations?.[autoUpdate] === "false") return { operation: "none" };
  const isBinding = expected.kind.endsWith("Binding");
  if (isBinding && !deepEqual(roleRefOf(existing), roleRefOf(expected))) {
    return { operation: "recreate", object: expected };
  }
  const merged = isBinding ? withSubjects(existing, expected) : withRules(existing, expected);
  const object = { ...merged, metadata: mergedMetadata(existing, expected) };
  return deepEqual(object, existing) ? { operation: "none" } : { operation: "update", object };
}

function roleRefOf(binding: KubeObject) {
  return (binding as ClusterRoleBinding).roleRef;
}

function mergedMetadata(existing: KubeObject, expected: KubeObject): KubeObject["metadata"] {
  const labels = { ...expected.metadata.labels, ...existing.metadata.labels };
  const annotations = { ...expected.metadata.annotations, ...existing.metadata.annotations };
  return {
    ...existing.metadata,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function withSubjects(existing: KubeObject, expected: KubeObject): KubeObject {
  const known = (existing as ClusterRoleBinding).subjects ?? [];
  const wanted = (expected as ClusterRoleBinding).subjects ?? [];
  const missing = wanted.filter((subject) => !known.some((each) => isSame(each, subject)));
  return missing.length === 0
    ? existing
    : ({ ...existing, subjects: [...known, ...missing] } as KubeObject);
}

function isSame(a: RbacSubject, b: RbacSubject): boolean {
  const fields = ["kind", "apiGroup", "name", "namespace"] as const;
  return fields.every((field) => (a[field] ?? "") === (b[field] ?? ""));
}

function withRules(existing: KubeObject, expected: KubeObject): KubeObject {
  const { rules, aggregationRule, ...rest } = existing as ClusterRole;
  const wanted = expected as ClusterRole;
  const missing = uncoveredRules(rules ?? [], wanted.rules ?? []) ?? wanted.rules ?? [];
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const missingSelectors = (wanted.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((each) => deepEqual(each, selector)),
  );
  const isAggregated = wanted.aggregationRule !== undefined;
  return {
    ...rest,
    rules: missing.length === 0 ? rules : [...(rules ?? []), ...missing],
    ...(isAggregated && {
      aggregationRule:
        missingSelectors.length === 0
          ? aggregationRule
          : { ...aggregationRule, clusterRoleSelectors: [...selectors, ...missingSelectors] },
    }),
  } as KubeObject;
}
