import {
  type LabelSelectorRequirement,
  namespacesExcludedSelector,
  type Resource,
} from "@rookery/kube";
import { OutOfScopeError } from "../errors.ts";

/** The namespaces that an instance works in: all, some, or all but some. */
export type NamespaceScope =
  | { readonly type: "all" }
  | { readonly type: "namespaces"; readonly namespaces: readonly string[] }
  | { readonly type: "excluded"; readonly namespaces: readonly string[] };

/** Every namespace, those made later included. */
export const allNamespaces: NamespaceScope = { type: "all" };

/** Whether objects of this namespace are watched. Cluster-scoped ones ("") always are. */
export function isInScope(scope: NamespaceScope, namespace: string): boolean {
  if (scope.type === "all" || namespace === "") return true;
  return scope.namespaces.includes(namespace) === (scope.type === "namespaces");
}

/** Throws an OutOfScopeError unless objects of this namespace are watched. */
export function assertInScope(scope: NamespaceScope, resource: string, namespace: string): void {
  if (scope.type === "all" || isInScope(scope, namespace)) return;
  throw new OutOfScopeError({ resource, namespace, flag: flagOf(scope) });
}

/** One list and watch: of a namespace, or of the whole cluster with a selector. */
export interface WatchTarget {
  readonly namespace?: string;
  readonly fieldSelector?: string;
}

/**
 * What has to be listed and watched to see all of a scope: each namespace for itself, or everything
 * with a field selector, so that the server keeps back what is excluded. Cluster-scoped resources
 * are in no namespace, and the server refuses that selector for them.
 */
export function watchTargetsOf(
  scope: NamespaceScope,
  resource: Pick<Resource, "namespaced">,
): readonly WatchTarget[] {
  if (!resource.namespaced || scope.type === "all") return [{}];
  if (scope.type === "namespaces") return scope.namespaces.map((namespace) => ({ namespace }));
  return [{ fieldSelector: namespacesExcludedSelector(scope.namespaces).toString() }];
}

/** Kubernetes puts it on every namespace. */
const namespaceLabel = "kubernetes.io/metadata.name";

/** A scope as a selector of namespaces says it; undefined where it has all. */
export function namespaceExpression(scope: NamespaceScope): LabelSelectorRequirement | undefined {
  if (scope.type === "all") return undefined;
  const values = [...scope.namespaces];
  // No namespace is without its name: a selector must not be without values.
  if (values.length === 0) return { key: namespaceLabel, operator: "DoesNotExist" };
  const operator = scope.type === "namespaces" ? "In" : "NotIn";
  return { key: namespaceLabel, operator, values };
}

/** The flag that a scope comes from, as a user would write it. */
function flagOf(scope: Exclude<NamespaceScope, { type: "all" }>): string {
  const name = scope.type === "namespaces" ? "--namespace" : "--excluded-namespace";
  return `${name}=${scope.namespaces.join(",")}`;
}
