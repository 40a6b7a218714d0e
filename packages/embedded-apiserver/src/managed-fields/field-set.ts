import { compareElements, type PathElement } from "./path-element.ts";

/**
 * A set of fields: an immutable trie of path elements that shares unchanged parts. Every node is a
 * member or has children.
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

export interface FieldNode {
  /** Whether the field itself is in the set, not only fields below it. */
  readonly isMember: boolean;
  readonly below: FieldSet;
}

export const emptySet: FieldSet = new Map();

/** A member without children. */
export const leaf: FieldNode = { isMember: true, below: emptySet };

export function fieldNode(isMember: boolean, below: FieldSet): FieldNode | undefined {
  if (below.size === 0) return isMember ? leaf : undefined;
  return { isMember, below };
}

/** A set of paths of field names, such as ["metadata", "name"]. */
export function setOfPaths(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce((set, path) => union(set, setOfPath(path)), emptySet);
}

function setOfPath([name, ...rest]: readonly string[]): FieldSet {
  if (name === undefined) return emptySet;
  const node = rest.length === 0 ? leaf : { isMember: false, below: setOfPath(rest) };
  return new Map([[`f:${name}`, node]]);
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  const result = new Map(a);
  for (const [element, node] of b) {
    const own = a.get(element);
    result.set(element, own === undefined ? node : unionNodes(own, node));
  }
  return result;
}

/** The union of many sets, by halves: sequential unions would copy the first ones repeatedly. */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  if (sets.length <= 1) return sets[0] ?? emptySet;
  const middle = sets.length >> 1;
  return union(unionOfAll(sets.slice(0, middle)), unionOfAll(sets.slice(middle)));
}

export function unionNodes(a: FieldNode, b: FieldNode): FieldNode {
  if (a === b) return a;
  return { isMember: a.isMember || b.isMember, below: union(a.below, b.below) };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result = new Map<PathElement, FieldNode>();
  for (const element of smaller(a, b).keys()) {
    const [node, other] = [a.get(element), b.get(element)];
    if (node === undefined || other === undefined) continue;
    const common = fieldNode(
      node.isMember && other.isMember,
      intersection(node.below, other.below),
    );
    if (common) result.set(element, common);
  }
  return result;
}

/** The fields of `a` that are not in `b`. Children of a removed field stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (node, other) =>
    fieldNode(node.isMember && !other.isMember, difference(node.below, other.below)),
  );
}

/** The fields of `a` that are neither in `b` nor below a field of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (node, other) =>
    other.isMember
      ? undefined
      : fieldNode(node.isMember, recursiveDifference(node.below, other.below)),
  );
}

type Subtraction = (node: FieldNode, other: FieldNode) => FieldNode | undefined;

function subtract(a: FieldSet, b: FieldSet, rest: Subtraction): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let result: Map<PathElement, FieldNode> | undefined;
  for (const element of smaller(a, b).keys()) {
    const [node, other] = [a.get(element), b.get(element)];
    if (node === undefined || other === undefined) continue;
    const left = rest(node, other);
    result ??= new Map(a);
    if (left === undefined) result.delete(element);
    else result.set(element, left);
  }
  return result ?? a;
}

/** Iterating the smaller set keeps comparisons of many small sets with a large one cheap. */
function smaller(a: FieldSet, b: FieldSet): FieldSet {
  return a.size < b.size ? a : b;
}

/** Whether the field at a path is in the set. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldNode | undefined;
  for (const element of path) node = (node?.below ?? set).get(element);
  return node?.isMember ?? false;
}

/** Visits every field: a level in order first, then the levels below. */
export function forEachPath(
  set: FieldSet,
  visit: (path: readonly PathElement[]) => void,
  prefix: readonly PathElement[] = [],
): void {
  const elements = sortedElements(set);
  for (const element of elements) if (set.get(element)?.isMember) visit([...prefix, element]);
  for (const element of elements) {
    forEachPath(set.get(element)?.below ?? emptySet, visit, [...prefix, element]);
  }
}

/** In the order of fieldsV1. */
export function sortedElements(set: FieldSet): readonly PathElement[] {
  const elements = [...set.keys()];
  // Field names sort without a comparator, and most are sorted already.
  const areNames = elements.every((element) => element.startsWith("f:"));
  if (!areNames) return elements.sort(compareElements);
  return elements.every((element, index) => index === 0 || (elements[index - 1] ?? "") <= element)
    ? elements
    : elements.sort();
}
