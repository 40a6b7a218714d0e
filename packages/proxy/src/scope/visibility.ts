import type { Target } from "@rookery/group-suffix";
import type { NamespaceScope } from "@rookery/runtime";

export type NarrowScope = Exclude<NamespaceScope, { readonly type: "all" }>;

/** The namespaces that an app may access, and those that it sees in lists of all. */
export interface Visibility {
  readonly scope: NarrowScope;
  /** Whether requests about a namespace pass: those of the scope, and the app's own. */
  mayUse(namespace: string): boolean;
  /** The label selector of visible Namespaces, whose names are also a label. */
  readonly namespacesSelector: string;
  /** The visible namespaces in lists and watches of all namespaces. */
  seenOf(target: Pick<Target, "group" | "resource">): Seen;
}

/** "" is always visible. */
export interface Seen {
  has(namespace: string): boolean;
  /** Whether it excludes the app's own namespace. */
  readonly isScope: boolean;
}

/**
 * Resources that an app keeps in its own namespace. Only these are added to lists of all
 * namespaces; with other kinds, two instances would reconcile the same objects.
 */
const ownResources: ReadonlySet<string> = new Set([
  "/secrets",
  "/configmaps",
  "coordination.k8s.io/leases",
]);

export function createVisibility(scope: NarrowScope, own: string | undefined): Visibility {
  const named = new Set(scope.namespaces);
  const isIn = (namespace: string) =>
    namespace === "" || named.has(namespace) === (scope.type === "namespaces");
  const mayUse = (namespace: string) => namespace === own || isIn(namespace);
  const withOwn: Seen = { has: mayUse, isScope: own === undefined || isIn(own) };
  const withoutOwn: Seen = { has: isIn, isScope: true };
  return {
    scope,
    mayUse,
    namespacesSelector: namespacesSelector(scope, own),
    seenOf: ({ group, resource }) =>
      ownResources.has(`${group}/${resource}`) ? withOwn : withoutOwn,
  };
}

function namespacesSelector({ type, namespaces }: NarrowScope, own: string | undefined): string {
  const others = namespaces.filter((name) => name !== own);
  const isIn = type === "namespaces";
  const names = isIn && own !== undefined ? [...others, own] : others;
  if (names.length === 0) return "";
  return `kubernetes.io/metadata.name ${isIn ? "in" : "notin"} (${names.join(",")})`;
}
