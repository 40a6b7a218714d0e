import {
  clusterKind,
  isForced,
  isGlobal,
  isIdentity,
  isLabelled,
  isRoot,
  type MovedNode,
} from "./moved-node.ts";
import { type ObjectGraph, ownersOf } from "./object-graph.ts";

/**
 * What is moved of a namespace: all that belongs to a root, and what is labelled. Identities, which may be
 * those of other tenants, come along only where something that is moved names them.
 */
export function chosenNodes(graph: ObjectGraph): readonly MovedNode[] {
  const movable = movableNodes(graph);
  const unused = new Set(movable.filter((node) => isIdentity(node) && !isLabelled(node)));
  const isOfUnused = ({ tenants }: MovedNode) =>
    tenants.size > 0 && [...tenants].every((tenant) => unused.has(tenant));
  const open = movable.filter((node) => !unused.has(node) && !isOfUnused(node));
  while (open.length > 0) {
    const named = identitiesOf(graph, open.splice(0));
    open.push(...named.filter((identity) => unused.delete(identity)));
  }
  return movable.filter((node) => !unused.has(node) && !isOfUnused(node));
}

/** The same with every identity: what there may be to copy while clusters are moved one by one. */
export function movableNodes({ nodes }: ObjectGraph): readonly MovedNode[] {
  return nodes.filter((node) => node.object && (node.tenants.size > 0 || isForced(node)));
}

/**
 * What is moved with one cluster: all that belongs to it; what that belongs to besides, such as its
 * class, with what is of no cluster at all, such as templates; and the identities that it names.
 */
export function chosenNodesOf(graph: ObjectGraph, cluster: MovedNode): readonly MovedNode[] {
  const own = graph.nodes.filter((node) => node.object && node.tenants.has(cluster));
  const chosen = new Set(own);
  const roots = new Set<MovedNode>();
  const open = [...own, ...identitiesOf(graph, own)];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object) chosen.add(node);
    if (isRoot(node)) roots.add(node);
    const owners = ownersOf(node).filter((owner) => owner.object && !isOfOthers(owner, cluster));
    open.push(...owners.filter((owner) => !chosen.has(owner)));
  }
  roots.delete(cluster);
  for (const node of graph.nodes) {
    const isShared = clustersOf(node).length === 0 && [...node.tenants].some((t) => roots.has(t));
    if (node.object && isShared) chosen.add(node);
  }
  return graph.nodes.filter((node) => chosen.has(node));
}

/** The clusters that an object belongs to. */
export function clustersOf({ tenants }: MovedNode): readonly MovedNode[] {
  return [...tenants].filter(({ groupKind }) => groupKind === clusterKind);
}

/** Whether it belongs to other clusters, and not to this one: a copy does without such an owner. */
export function isOfOthers(node: MovedNode, cluster: MovedNode): boolean {
  return clustersOf(node).length > 0 && !node.tenants.has(cluster);
}

/** Objects in no namespace that the spec of one of these names by kind and name. */
function identitiesOf(graph: ObjectGraph, own: readonly MovedNode[]): readonly MovedNode[] {
  const globals = graph.nodes.filter((node) => isGlobal(node) && (isRoot(node) || isForced(node)));
  if (globals.length === 0) return [];
  const named = new Set<string>();
  for (const { object } of own) collectReferences(object?.spec, named);
  return globals.filter(({ object, key }) => named.has(`${object?.kind}/${key.name}`));
}

function collectReferences(value: unknown, named: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  const { kind, name } = value as { readonly kind?: unknown; readonly name?: unknown };
  if (typeof kind === "string" && typeof name === "string") named.add(`${kind}/${name}`);
  for (const child of Object.values(value)) collectReferences(child, named);
}
