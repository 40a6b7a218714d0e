import { classOf } from "./cluster-class.ts";
import { bindingKind, classKind, clusterKind, type MovedNode } from "./moved-node.ts";

/** What Cluster API calls its Secrets after the name of a cluster. */
const secretPurposes: ReadonlySet<string> = new Set(["kubeconfig", "ca", "etcd", "sa", "proxy"]);

/** Adds what belongs together by a name: Secrets of clusters, clusters of a class, bindings of a cluster. */
export function addSoftOwners(nodes: readonly MovedNode[]): void {
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

/** Which cluster a Secret is of, by its name: what stands before the last "-". */
function clusterOfSecret(name: string): string | undefined {
  const end = name.lastIndexOf("-");
  return secretPurposes.has(name.slice(end + 1)) ? name.slice(0, end) : undefined;
}

function indexOf(nodes: readonly MovedNode[], groupKind: string): Index {
  const found = nodes.filter((node) => node.groupKind === groupKind && node.object);
  return new Map(found.map((node) => [`${node.key.namespace ?? ""}/${node.key.name}`, node]));
}
