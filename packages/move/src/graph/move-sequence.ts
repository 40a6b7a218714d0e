import type { MovedNode } from "./moved-node.ts";
import { ownersOf } from "./object-graph.ts";

/** In which order objects are created: each group after the owners of its objects. */
export interface MoveSequence {
  readonly groups: readonly (readonly MovedNode[])[];
  /** What cannot be created, because an owner of it is not: it is left where it is. */
  readonly orphans: readonly MovedNode[];
}

/** Owners that `isDropped` says are done without: their dependents come without them. */
export function moveSequenceOf(
  nodes: readonly MovedNode[],
  isDropped: (owner: MovedNode) => boolean = () => false,
): MoveSequence {
  const chosen = new Set(nodes);
  const needed = (node: MovedNode) => new Set(ownersOf(node).filter((owner) => !isDropped(owner)));
  const open = new Map(nodes.map((node) => [node, needed(node).size]));
  const groups: (readonly MovedNode[])[] = [];
  let group = nodes.filter((node) => open.get(node) === 0);
  const placed = new Set<MovedNode>();
  while (group.length > 0) {
    groups.push(group);
    for (const node of group) placed.add(node);
    const next = new Set<MovedNode>();
    for (const dependent of group.flatMap((node) => [...node.dependents])) {
      if (!chosen.has(dependent)) continue;
      const left = (open.get(dependent) ?? 0) - 1;
      open.set(dependent, left);
      if (left === 0) next.add(dependent);
    }
    group = [...next];
  }
  return { groups, orphans: nodes.filter((node) => !placed.has(node)) };
}
