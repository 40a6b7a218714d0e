import {
  type KubeObject,
  type OwnerReference,
  parseApiVersion,
  type Resource,
} from "@rookery/kube";
import {
  chosenNodes,
  chosenNodesOf,
  clustersOf,
  isOfOthers,
  movableNodes,
} from "./chosen-nodes.ts";
import { type LeftObject, leftObjects } from "./left-objects.ts";
import {
  apiVersionOf,
  classKind,
  clusterKind,
  isBlocked,
  isGlobal,
  type MovedNode,
} from "./moved-node.ts";
import { type ObjectGraph, ownersOf } from "./object-graph.ts";

export interface PlannedObject {
  readonly resource: Resource;
  readonly object: KubeObject;
  /** With the uids of the source. */
  readonly owners: readonly OwnerReference[];
  /** The order of creation; group 0 has no owners. */
  readonly group: number;
  /** Why it is copied and stays at the source. */
  readonly stays?: string;
  /** Others may use it: an existing object at the target is not changed. */
  readonly shared: boolean;
  readonly blocked: boolean;
}

export interface MovePlan {
  readonly objects: readonly PlannedObject[];
  readonly left: readonly LeftObject[];
}

export interface PlanOptions {
  readonly namespace?: string;
  /** One cluster of the namespace; else all objects. */
  readonly cluster?: string;
  /** Includes identities that no object refers to. */
  readonly everyIdentity?: boolean;
  /** Classes, as "namespace/name", with clusters in other namespaces. */
  readonly usedElsewhere?: ReadonlySet<string>;
}

/** The moved objects in their order, and those that are left. Undefined if there is no such cluster. */
export function movePlanOf(graph: ObjectGraph, options: PlanOptions): MovePlan | undefined {
  const cluster = graph.nodes.find((node) => isCluster(node, options));
  if (options.cluster !== undefined && !cluster) return undefined;
  const one = options.cluster === undefined ? undefined : cluster;
  const all = options.everyIdentity ? movableNodes : chosenNodes;
  const chosen = one ? chosenNodesOf(graph, one) : all(graph);
  const isDropped = (owner: MovedNode) => one !== undefined && isOfOthers(owner, one);
  const sequence = moveSequenceOf(chosen, isDropped);
  const kept = keptClasses(graph, options);
  const stays = (node: MovedNode) => whyStays(node, kept) ?? (one && whyShared(node, one));
  const objects = plannedObjects(sequence, { stays, isDropped });
  return { objects, left: leftObjects(graph, sequence, one) };
}

function isCluster({ groupKind, key, object }: MovedNode, options: PlanOptions): boolean {
  if (groupKind !== clusterKind || !object) return false;
  return key.name === options.cluster && key.namespace === options.namespace;
}

export function namespacesOf(objects: readonly Pick<PlannedObject, "object">[]): readonly string[] {
  const namespaces = objects.flatMap(({ object }) => object.metadata.namespace || []);
  return [...new Set(namespaces)];
}

interface Decisions {
  readonly stays: (node: MovedNode) => string | undefined;
  readonly isDropped: (owner: MovedNode) => boolean;
}

function plannedObjects(
  { groups }: MoveSequence,
  { stays, isDropped }: Decisions,
): readonly PlannedObject[] {
  return groups.flatMap((nodes, group) =>
    nodes.flatMap((node) => {
      const { object, type } = node;
      if (!object || !type) return [];
      const why = stays(node);
      return {
        // An object of a file may have an older version than the storage version.
        resource: { ...type.resource, ...parseApiVersion(object.apiVersion) },
        object,
        group,
        owners: ownerReferencesOf(node, isDropped),
        shared: isGlobal(node) || node.isOfGlobal,
        blocked: isBlocked(node),
        ...(why !== undefined && { stays: why }),
      };
    }),
  );
}

/** With the apiVersions in which the owners are moved. */
function ownerReferencesOf(
  { owners }: MovedNode,
  isDropped: Decisions["isDropped"],
): readonly OwnerReference[] {
  return [...owners]
    .filter(([owner]) => !isDropped(owner))
    .map(([owner, reference]) => ({ ...reference, apiVersion: apiVersionOf(owner) }));
}

/** Classes with clusters in other namespaces, and their dependents. */
function keptClasses(graph: ObjectGraph, options: PlanOptions): ReadonlySet<MovedNode> {
  const { namespace, usedElsewhere = new Set() } = options;
  const kept = new Set<MovedNode>();
  const open = graph.nodes.filter(({ groupKind, key }) => {
    if (groupKind !== classKind || namespace === undefined) return false;
    return key.namespace !== namespace || usedElsewhere.has(`${key.namespace}/${key.name}`);
  });
  for (let node = open.pop(); node; node = open.pop()) {
    if (kept.has(node)) continue;
    kept.add(node);
    const owner = node;
    open.push(...[...node.dependents].filter((dependent) => dependent.owners.has(owner)));
  }
  return kept;
}

function whyStays(node: MovedNode, kept: ReadonlySet<MovedNode>): string | undefined {
  if (isGlobal(node)) return "it is in no namespace, and others may use it";
  if (node.isOfGlobal) return "it belongs to an object in no namespace, which others may use";
  return kept.has(node) ? "clusters in other namespaces use it" : undefined;
}

function whyShared(node: MovedNode, cluster: MovedNode): string | undefined {
  if (!node.tenants.has(cluster)) return `it is not part of cluster ${cluster.key.name} alone`;
  const other = clustersOf(node).find((one) => one !== cluster);
  return other && `cluster ${other.key.name} uses it too`;
}

/** The order of creation: each group after the owners of its objects. */
export interface MoveSequence {
  readonly groups: readonly (readonly MovedNode[])[];
  /** Objects that are left, because one of their owners is not moved. */
  readonly orphans: readonly MovedNode[];
}

function moveSequenceOf(
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
