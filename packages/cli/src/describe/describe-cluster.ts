import { type Client, NoMatchError } from "@rookery/client";
import { clusterApiGroup, clusterNameLabel, controlPlaneLabel } from "@rookery/cluster-api";
import { isNotFound, type KubeObject, parseApiVersion } from "@rookery/kube";
import { DescribeError } from "../errors.ts";
import { listClusters, whyNoCluster } from "../get/clusters.ts";
import { ignoreForbidden, listServed } from "../objects.ts";
import { addTemplates, addWorkers } from "./add-workers.ts";
import type { DescribeOptions, Description } from "./description.ts";
import { ObjectTree } from "./object-tree.ts";
import { ReferenceReader } from "./references.ts";
import { objectNode, type TreeNode, type TreeObject, treeNode } from "./tree-node.ts";

const version = "v1beta2";

/** Reads a cluster and its objects. Throws DescribeError for a missing cluster. */
export async function describeCluster(
  client: Client,
  options: DescribeOptions,
): Promise<ObjectTree> {
  const { name, group } = options;
  const tree = new ObjectTree(objectNode(await readCluster(client, options), "core"), options);
  const references = new ReferenceReader(client, options);
  const listOwn = async (kind: string) => {
    const all = await listShown(client, { group, version, kind }, options);
    return all.filter(({ metadata }) => metadata.labels?.[clusterNameLabel] === name);
  };
  const machines = await listOwn("Machine");
  const description = { tree, options, references, machines, listOwn };
  const { spec } = tree.root.object ?? {};
  const infrastructure = await references.read(spec?.infrastructureRef);
  if (infrastructure) {
    const role = "ClusterInfrastructure";
    tree.add(tree.root, objectNode(infrastructure.object, "provider", { role }));
  }
  if (options.resourceSets) await addResourceSets(client, tree, options);
  const controlPlane = await addControlPlane(description, spec?.controlPlaneRef);
  const planeMachines = machines.filter(isControlPlaneMachine);
  if (controlPlane) {
    for (const machine of planeMachines) await addMachine(description, controlPlane, machine);
  }
  await addWorkers(description, {
    placed: new Set((controlPlane ? planeMachines : []).map(({ metadata }) => metadata.name)),
    hasOthers: machines.length > planeMachines.length,
    addMachine: (parent, machine) => addMachine(description, parent, machine),
  });
  return tree;
}

/** Empty for kinds that the user may not list. */
async function listShown(
  client: Client,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
  { namespace, onHidden }: DescribeOptions,
): Promise<readonly TreeObject[]> {
  const found = await ignoreForbidden(listServed<TreeObject>(client, kind, namespace));
  if (!found) onHidden?.(kind.kind);
  return found ?? [];
}

async function readCluster(
  client: Client,
  { namespace, name, group }: DescribeOptions,
): Promise<TreeObject> {
  try {
    const clusters = await client.kind<TreeObject>({ group, version, kind: "Cluster" });
    return await clusters.get({ namespace, name });
  } catch (error) {
    if (error instanceof NoMatchError) {
      const why = `the management cluster does not serve ${group}/${version}; install Cluster API 1.11 or newer`;
      throw new DescribeError({ namespace, name }, why, error);
    }
    if (!isNotFound(error)) throw error;
    const why = await whyNoCluster(client, { namespace, name });
    throw new DescribeError({ namespace, name }, why, error);
  }
}

function isControlPlaneMachine({ metadata }: KubeObject): boolean {
  return metadata.labels?.[controlPlaneLabel] !== undefined;
}

async function addControlPlane(
  { tree, references, options }: Description,
  reference: unknown,
): Promise<TreeNode | undefined> {
  const found = await references.read(reference);
  if (!found) return undefined;
  const { object, contract } = found;
  const more = { role: "ControlPlane", isGrouping: true, contract };
  const node = objectNode(object, "control plane", more);
  tree.add(tree.root, node);
  const { machineTemplate } = Object(object.spec);
  const template = Object(contract === "v1beta1" ? machineTemplate : machineTemplate?.spec);
  if (options.templates) {
    addTemplates(tree, node, { MachineInfrastructureTemplate: template.infrastructureRef });
  }
  return node;
}

/** Adds a machine, and its parts unless they repeat its condition. */
async function addMachine(
  { tree, references }: Description,
  parent: TreeNode,
  object: TreeObject,
): Promise<void> {
  const machine = objectNode(object, "core");
  if (!tree.add(parent, machine)) return;
  const { infrastructureRef, bootstrap } = Object(object.spec);
  const parts = { MachineInfrastructure: infrastructureRef, BootstrapConfig: bootstrap?.configRef };
  for (const [role, reference] of Object.entries(parts)) {
    const part = await references.read(reference);
    if (part) tree.add(machine, objectNode(part.object, "provider", { role }), { noEcho: true });
  }
}

/** Adds the ClusterResourceSets of the binding, which has the name of the cluster. */
async function addResourceSets(
  client: Client,
  tree: ObjectTree,
  options: DescribeOptions,
): Promise<void> {
  const { name, group } = options;
  const kind = { group: `addons.${group}`, version, kind: "ClusterResourceSetBinding" };
  const bindings = await listShown(client, kind, options);
  const own = bindings.find(({ metadata }) => metadata.name === name);
  if (!own) return;
  const kindOfGroup = { kind: "ClusterResourceSetGroup", name: "ClusterResourceSets" };
  const node = treeNode({ ...kindOfGroup, shape: "virtual" });
  tree.add(tree.root, node);
  const sets = (own.spec?.bindings ?? []) as readonly { readonly clusterResourceSetName: string }[];
  for (const { clusterResourceSetName } of sets) {
    const set = { kind: "ClusterResourceSet", name: clusterResourceSetName };
    tree.add(node, treeNode({ ...set, shape: "reference" }));
  }
}

/** The API group of a cluster: Cluster API's own, or that of another core. */
export async function findCoreGroup(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const clusters = await listClusters(client, namespace);
  const groups = clusters
    .filter(({ metadata }) => metadata.name === name)
    .map(({ apiVersion }) => parseApiVersion(apiVersion).group);
  return groups.includes(clusterApiGroup) ? clusterApiGroup : (groups[0] ?? clusterApiGroup);
}
