import { formatGroupKind, type KubeObject, parseApiVersion } from "@rookery/kube";
import { isRoot, type MovedNode, nodeOf, virtualNodeOf } from "./moved-node.ts";
import type { MovedType } from "./moved-type.ts";
import { addSoftOwners } from "./soft-owners.ts";

/** What there is, who owns whom, and which roots each object belongs to. */
export interface ObjectGraph {
  readonly nodes: readonly MovedNode[];
}

/** Builds the graph of objects whose kinds are among the types; each step is linear in their number. */
export function objectGraphOf(
  objects: readonly KubeObject[],
  types: readonly MovedType[],
): ObjectGraph {
  const byKind = new Map(types.map((type) => [formatGroupKind(type.resource), type]));
  const byUid = new Map<string, MovedNode>();
  for (const object of objects) {
    const kind = formatGroupKind({ ...parseApiVersion(object.apiVersion), kind: object.kind });
    const type = byKind.get(kind);
    const { uid } = object.metadata;
    if (type && uid) byUid.set(uid, nodeOf(object, type));
  }
  for (const node of [...byUid.values()]) addOwners(node, byUid);
  const nodes = [...byUid.values()];
  addSoftOwners(nodes);
  for (const node of nodes) {
    for (const owner of ownersOf(node)) owner.dependents.add(node);
  }
  for (const root of nodes) if (isRoot(root)) addTenant(root);
  return { nodes };
}

function addOwners(node: MovedNode, byUid: Map<string, MovedNode>): void {
  for (const reference of node.object?.metadata.ownerReferences ?? []) {
    const owner = byUid.get(reference.uid) ?? virtualNodeOf(reference);
    byUid.set(reference.uid, owner);
    node.owners.set(owner, reference);
  }
}

/** Everything that it belongs to directly, by a reference or by a name. */
export function ownersOf(node: MovedNode): readonly MovedNode[] {
  return [...node.owners.keys(), ...node.softOwners];
}

/** Walks down from a root; a circle of owners, which the API server allows, ends the walk. */
function addTenant(root: MovedNode): void {
  const isOfGlobal = root.type?.resource.namespaced === false;
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.tenants.has(root)) continue;
    node.tenants.add(root);
    node.isOfGlobal ||= isOfGlobal;
    open.push(...node.dependents);
  }
}
