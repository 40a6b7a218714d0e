import { fieldSelectorOf, namespacesExcludedSelector } from "@rookery/kube";
import type { Seen, Visibility } from "./visibility.ts";

/**
 * The limit of bytes added to a URL, about a thousand namespaces. API servers accept a megabyte of
 * headers, but proxies before them less.
 */
export const maxSelectorBytes = 32 * 1024;

export interface ExclusionOptions {
  readonly visibility: Visibility;
  /** The known namespaces. */
  readonly knownNamespaces: () => readonly string[];
}

/**
 * A field selector that lets the server leave out foreign namespaces, or "". Never leaves out
 * visible objects; the rest is filtered here.
 */
export function exclusionSelector(seen: Seen, options: ExclusionOptions): string {
  const { visibility, knownNamespaces } = options;
  const { scope } = visibility;
  const [first, ...others] = scope.namespaces;
  // Servers index objects and watchers by namespace.
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
