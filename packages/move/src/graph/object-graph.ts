import { formatGroupKind, type KubeObject, parseApiVersion } from "@rookery/kube";
import { classOf } from "./cluster-class.ts";
import {
  bindingKind,
  classKind,
  clusterKind,
  isRoot,
  type MovedNode,
  nodeOf,
  virtualNodeOf,
} from "./moved-node.ts";
import type { MovedType } from "./moved-type.ts";

export interface ObjectGraph {
  readonly nodes: readonly MovedNode[];
}

/** Builds the graph of owners and roots in linear time; ignores objects of other kinds. */
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

/** Direct owners, by reference or by name. */
export function ownersOf(node: MovedNode): readonly MovedNode[] {
  return [...node.owners.keys(), ...node.softOwners];
}

/** Walks down from a root; cycles of owners are possible. */
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

/** The suffixes of the names of Cluster API's Secrets. */
const secretPurposes: ReadonlySet<string> = new Set(["kubeconfig", "ca", "etcd", "sa", "proxy"]);

/** Adds owners by name: of Secrets of clusters, clusters of a class, bindings of a cluster. */
function addSoftOwners(nodes: readonly MovedNode[]): void {
  const clusters = indexOf(nodes, clusterKind);
  const classes = indexOf(nodes, classKind);
  for (const node of nodes) {
    const owner = softOwnerOf(node, clusters, classes);
    if (owner) node.softOwners.add(owner);
  }
}

type Index = ReadonlyMap<string, MovedNode>;

function softOwnerOf(node: MovedNode, clusters: Index, classes: Index): MovedNode | undefined {
  const { groupKind, key, object } = node;
  if (!object) return undefined;
  const { namespace = "" } = key;
  if (groupKind === "Secret") {
    const name = node.owners.size === 0 ? clusterOfSecret(key.name) : undefined;
    return name === undefined ? undefined : clusters.get(`${namespace}/${name}`);
  }
  if (groupKind === clusterKind) {
    const found = classOf(object);
    return found && classes.get(`${found.namespace}/${found.name}`);
  }
  if (groupKind !== bindingKind) return undefined;
  const { clusterName } = (object.spec ?? {}) as { readonly clusterName?: string };
  return clusters.get(`${namespace}/${clusterName}`);
}

/** The cluster in the name of a Secret: the part before the last "-". */
function clusterOfSecret(name: string): string | undefined {
  const end = name.lastIndexOf("-");
  return secretPurposes.has(name.slice(end + 1)) ? name.slice(0, end) : undefined;
}

function indexOf(nodes: readonly MovedNode[], groupKind: string): Index {
  const found = nodes.filter((node) => node.groupKind === groupKind && node.object);
  return new Map(found.map((node) => [`${node.key.namespace ?? ""}/${node.key.name}`, node]));
}
