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
 * The moved objects of a namespace: the dependents of roots, and labelled ones. Identities, which may
 * belong to other tenants, are included only if a moved object refers to them.
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

/** The same with all identities, for clusters that are moved one by one. */
export function movableNodes({ nodes }: ObjectGraph): readonly MovedNode[] {
  return nodes.filter((node) => node.object && (node.tenants.size > 0 || isForced(node)));
}

/**
 * The objects that are moved with one cluster: its dependents, their other owners, such as its class, with
 * dependents of no cluster, such as templates, and the identities that they refer to.
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

/** Whether an owner belongs only to other clusters; a copy does not have it. */
export function isOfOthers(node: MovedNode, cluster: MovedNode): boolean {
  return clustersOf(node).length > 0 && !node.tenants.has(cluster);
}

/** Cluster-scoped objects to which specs refer by kind and name. */
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
