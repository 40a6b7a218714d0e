import { allNamespaces, type NamespaceScope } from "@rookery/runtime";

/** Some namespaces, or all but some; those that nobody has made yet included. */
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

/** What is in the first and in none of the others. */
export function minus(set: NamespaceSet, ...others: readonly NamespaceSet[]): NamespaceSet {
  return intersection(set, complement(union(...others)));
}

export function has({ isComplement, names }: NamespaceSet, name: string): boolean {
  return names.includes(name) !== isComplement;
}

export function isEmpty({ isComplement, names }: NamespaceSet): boolean {
  return !isComplement && names.length === 0;
}

/** As flags say it. An instance without any namespace has a scope that names none. */
export function scopeOf({ isComplement, names }: NamespaceSet): NamespaceScope {
  if (!isComplement) return { type: "namespaces", namespaces: names };
  return names.length === 0 ? allNamespaces : { type: "excluded", namespaces: names };
}

export function setOf(scope: NamespaceScope): NamespaceSet {
  if (scope.type === "all") return everyNamespace;
  return scope.type === "namespaces" ? only(scope.namespaces) : allBut(scope.namespaces);
}

/** How many namespaces a message names. */
const shown = 5;

/** "namespaces a, b", "all namespaces but a", for people. */
export function describeSet({ isComplement, names }: NamespaceSet): string {
  if (names.length === 0) return isComplement ? "all namespaces" : "no namespace";
  const more = names.length > shown ? ` and ${names.length - shown} more` : "";
  const listed = `${names.slice(0, shown).join(", ")}${more}`;
  if (isComplement) return `all namespaces but ${listed}`;
  return `${names.length === 1 ? "namespace" : "namespaces"} ${listed}`;
}

function sorted(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort();
}
