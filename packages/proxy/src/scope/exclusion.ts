import { fieldSelectorOf, namespacesExcludedSelector } from "@rookery/kube";
import type { Seen, Visibility } from "./visibility.ts";

/**
 * The most bytes that are added to a URL: about a thousand namespaces. API servers take a megabyte of
 * headers, and what stands before them mostly less; beyond it, dropping on the way is all there is.
 */
export const maxSelectorBytes = 32 * 1024;

export interface ExclusionOptions {
  readonly visibility: Visibility;
  /** The namespaces that there are, as far as it is known. */
  readonly knownNamespaces: () => readonly string[];
}

/**
 * What a server is asked to leave out itself: a field selector, "" where nothing can be said. Never
 * does it leave out what is seen; what it lets through is dropped on the way.
 */
export function exclusionSelector(seen: Seen, options: ExclusionOptions): string {
  const { visibility, knownNamespaces } = options;
  const { scope } = visibility;
  const [first, ...others] = scope.namespaces;
  // Servers keep objects and watchers by namespace, and look only there.
  if (scope.type === "namespaces" && seen.isScope && first !== undefined && others.length === 0) {
    const only = { field: "metadata.namespace", operator: "=", value: first } as const;
    return fieldSelectorOf([only]).toString();
  }
  const candidates = scope.type === "excluded" ? scope.namespaces : knownNamespaces();
  const foreign = candidates.filter((namespace) => !seen.has(namespace)).sort();
  return namespacesExcludedSelector(withinBudget(foreign)).toString();
}

function withinBudget(namespaces: readonly string[]): readonly string[] {
  const perTerm = "metadata.namespace%21%3D%2C".length;
  let bytes = 0;
  const end = namespaces.findIndex((namespace) => {
    bytes += perTerm + namespace.length;
    return bytes > maxSelectorBytes;
  });
  return end < 0 ? namespaces : namespaces.slice(0, end);
}
