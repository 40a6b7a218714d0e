import { allNamespaces, type NamespaceScope } from "@rookery/runtime";
import { listSome } from "../list-some.ts";

/** Some namespaces, or all but some; a complement includes namespaces that do not exist yet. */
export interface NamespaceSet {
  readonly isComplement: boolean;
  /** Sorted, each once. */
  readonly names: readonly string[];
}

export const noNamespaces: NamespaceSet = { isComplement: false, names: [] };
export const everyNamespace: NamespaceSet = { isComplement: true, names: [] };

export function only(names: Iterable<string>): NamespaceSet {
  return { isComplement: false, names: sorted(names) };
}

export function allBut(names: Iterable<string>): NamespaceSet {
  return { isComplement: true, names: sorted(names) };
}

export function complement({ isComplement, names }: NamespaceSet): NamespaceSet {
  return { isComplement: !isComplement, names };
}

export function intersection(a: NamespaceSet, b: NamespaceSet): NamespaceSet {
  if (a.isComplement && b.isComplement) return allBut([...a.names, ...b.names]);
  const [finite, other] = a.isComplement ? [b, a] : [a, b];
  return only(finite.names.filter((name) => has(other, name)));
}

export function union(...sets: readonly NamespaceSet[]): NamespaceSet {
  return complement(sets.map(complement).reduce(intersection, everyNamespace));
}

export function minus(set: NamespaceSet, ...others: readonly NamespaceSet[]): NamespaceSet {
  return intersection(set, complement(union(...others)));
}

export function has({ isComplement, names }: NamespaceSet, name: string): boolean {
  return names.includes(name) !== isComplement;
}

export function isEmpty({ isComplement, names }: NamespaceSet): boolean {
  return !isComplement && names.length === 0;
}

/** The scope for the flags of a manager; an empty set is a scope without names. */
export function scopeOf({ isComplement, names }: NamespaceSet): NamespaceScope {
  if (!isComplement) return { type: "namespaces", namespaces: names };
  return names.length === 0 ? allNamespaces : { type: "excluded", namespaces: names };
}

export function setOf(scope: NamespaceScope): NamespaceSet {
  if (scope.type === "all") return everyNamespace;
  return scope.type === "namespaces" ? only(scope.namespaces) : allBut(scope.namespaces);
}

export interface NamespaceFields {
  readonly namespaces?: readonly string[];
  readonly excludedNamespaces?: readonly string[];
}

export function namespacesOf(scope: NamespaceScope): NamespaceFields {
  if (scope.type === "all") return {};
  const { namespaces } = scope;
  return scope.type === "namespaces" ? { namespaces } : { excludedNamespaces: namespaces };
}

export function setOfFields({ namespaces, excludedNamespaces }: NamespaceFields): NamespaceSet {
  if (namespaces) return only(namespaces);
  return excludedNamespaces ? allBut(excludedNamespaces) : everyNamespace;
}

/** "namespaces a, b", "all namespaces but a", for messages. */
export function describeSet({ isComplement, names }: NamespaceSet): string {
  if (names.length === 0) return isComplement ? "all namespaces" : "no namespace";
  const listed = listSome(names, 5);
  if (isComplement) return `all namespaces but ${listed}`;
  return `${names.length === 1 ? "namespace" : "namespaces"} ${listed}`;
}

function sorted(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort();
}
