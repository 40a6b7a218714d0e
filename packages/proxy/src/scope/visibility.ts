import type { Target } from "@rookery/group-suffix";
import type { NamespaceScope } from "@rookery/runtime";

/** A scope that leaves something out. */
export type NarrowScope = Exclude<NamespaceScope, { readonly type: "all" }>;

/** Which namespaces an app may ask about, and which it sees where it asks about all of them. */
export interface Visibility {
  readonly scope: NarrowScope;
  /** Whether requests about one namespace pass: those of the scope, and the app's own. */
  mayUse(namespace: string): boolean;
  /** By which labels a server selects the Namespace objects that are seen: it keeps their names in one. */
  readonly namespacesSelector: string;
  /** What passes in lists and watches of a resource in all namespaces. */
  seenOf(target: Pick<Target, "group" | "resource">): Seen;
}

/** By whose namespaces objects pass; "" always does. */
export interface Seen {
  has(namespace: string): boolean;
  /** Whether it is the scope without the app's own namespace. */
  readonly isScope: boolean;
}

/**
 * What an app keeps for itself where it lives. Only this is added to lists of all namespaces: were all
 * kinds, what is to be reconciled there would be so by this instance and by the one whose scope has it.
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
