import {
  type LabelSelectorRequirement,
  namespacesExcludedSelector,
  type Resource,
} from "@rookery/kube";
import { OutOfScopeError } from "../errors.ts";

/** The namespaces of an instance: all, some, or all but some. */
export type NamespaceScope =
  | { readonly type: "all" }
  | { readonly type: "namespaces"; readonly namespaces: readonly string[] }
  | { readonly type: "excluded"; readonly namespaces: readonly string[] };

/** Every namespace, including those that are created later. */
export const allNamespaces: NamespaceScope = { type: "all" };

/** Whether objects of a namespace are watched. Cluster-scoped objects ("") always are. */
export function isInScope(scope: NamespaceScope, namespace: string): boolean {
  if (scope.type === "all" || namespace === "") return true;
  return scope.namespaces.includes(namespace) === (scope.type === "namespaces");
}

/** Throws an OutOfScopeError if objects of a namespace are not watched. */
export function assertInScope(scope: NamespaceScope, resource: string, namespace: string): void {
  if (scope.type === "all" || isInScope(scope, namespace)) return;
  throw new OutOfScopeError({ resource, namespace, flag: flagOf(scope) });
}

/** A list and watch: of a namespace, or of the whole cluster with a selector. */
export interface WatchTarget {
  readonly namespace?: string;
  readonly fieldSelector?: string;
}

/**
 * The lists and watches of a scope: one for each namespace, or one with a field selector, so that the server leaves out
 * the excluded namespaces. The server refuses that selector for cluster-scoped resources.
 */
export function watchTargetsOf(
  scope: NamespaceScope,
  resource: Pick<Resource, "namespaced">,
): readonly WatchTarget[] {
  if (!resource.namespaced || scope.type === "all") return [{}];
  if (scope.type === "namespaces") return scope.namespaces.map((namespace) => ({ namespace }));
  return [{ fieldSelector: namespacesExcludedSelector(scope.namespaces).toString() }];
}

/** Kubernetes sets this label on every namespace. */
const namespaceLabel = "kubernetes.io/metadata.name";

/** A scope as a requirement of a namespace selector; undefined for all namespaces. */
export function namespaceExpression(scope: NamespaceScope): LabelSelectorRequirement | undefined {
  if (scope.type === "all") return undefined;
  const values = [...scope.namespaces];
  // Matches no namespace: a requirement must have values.
  if (values.length === 0) return { key: namespaceLabel, operator: "DoesNotExist" };
  const operator = scope.type === "namespaces" ? "In" : "NotIn";
  return { key: namespaceLabel, operator, values };
}

/** The flag of a scope. */
function flagOf(scope: Exclude<NamespaceScope, { type: "all" }>): string {
  const name = scope.type === "namespaces" ? "--namespace" : "--excluded-namespace";
  return `${name}=${scope.namespaces.join(",")}`;
}
