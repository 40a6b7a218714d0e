import { controllerOf, parseApiVersion } from "@rookery/kube";
import type { Description } from "./description.ts";
import type { ObjectTree } from "./object-tree.ts";
import { objectNode, type TreeNode, type TreeObject, treeNode } from "./tree-node.ts";

export interface WorkerOptions {
  /** The names of machines in the tree. */
  readonly placed: Set<string | undefined>;
  /** Whether there are machines outside of the control plane. */
  readonly hasOthers: boolean;
  readonly addMachine: (parent: TreeNode, machine: TreeObject) => Promise<void>;
}

/** Adds the machines outside of the control plane below their owners. */
export async function addWorkers(description: Description, options: WorkerOptions): Promise<void> {
  const { tree, machines, listOwn } = description;
  const { placed, hasOthers } = options;
  const pools = await listOwn("MachinePool");
  const workers = treeNode({ kind: "WorkerGroup", name: "Workers", shape: "virtual" });
  if (hasOthers || pools.length > 0) tree.add(tree.root, workers);
  const place = async (parent: TreeNode, owner: TreeObject) => {
    for (const machine of machines.filter((one) => isControlledBy(one, owner))) {
      placed.add(machine.metadata.name);
      await options.addMachine(parent, machine);
    }
  };
  if (hasOthers) await addDeployments(description, workers, place);
  for (const pool of pools) await addPool(description, workers, { pool, place });
  const lonely = machines.filter(({ metadata }) => !placed.has(metadata.name));
  if (lonely.length === 0) return;
  const other = treeNode({ kind: "OtherGroup", name: "Other", shape: "virtual" });
  tree.add(workers, other);
  for (const machine of lonely) await options.addMachine(other, machine);
}

type Place = (parent: TreeNode, owner: TreeObject) => Promise<void>;

async function addDeployments(
  { tree, options, listOwn }: Description,
  workers: TreeNode,
  place: Place,
): Promise<void> {
  const sets = await listOwn("MachineSet");
  for (const deployment of await listOwn("MachineDeployment")) {
    const node = objectNode(deployment, "core", { isGrouping: !options.machineSets });
    tree.add(workers, node);
    if (options.templates) {
      const { infrastructureRef, bootstrap } = Object(Object(deployment.spec).template?.spec);
      addTemplates(tree, node, {
        BootstrapConfigTemplate: bootstrap?.configRef,
        MachineInfrastructureTemplate: infrastructureRef,
      });
    }
    for (const set of sets.filter((one) => isControlledBy(one, deployment))) {
      const own = objectNode(set, "core", { isGrouping: true });
      if (options.machineSets) tree.add(node, own);
      await place(options.machineSets ? own : node, set);
    }
  }
}

async function addPool(
  { tree, references }: Description,
  workers: TreeNode,
  { pool, place }: { readonly pool: TreeObject; readonly place: Place },
): Promise<void> {
  const node = objectNode(pool, "core", { isGrouping: true });
  tree.add(workers, node);
  const { infrastructureRef, bootstrap } = Object(Object(pool.spec).template?.spec);
  const parts = {
    BootstrapConfig: bootstrap?.configRef,
    MachinePoolInfrastructure: infrastructureRef,
  };
  for (const [role, reference] of Object.entries(parts)) {
    const part = await references.read(reference);
    if (part) tree.add(node, objectNode(part.object, "provider", { role }), { noEcho: true });
  }
  await place(node, pool);
}

/** Compares group, kind and name, as UIDs differ for a while after a move. */
function isControlledBy(object: TreeObject, owner: TreeObject): boolean {
  const controller = controllerOf(object);
  return (
    controller?.kind === owner.kind &&
    controller.name === owner.metadata.name &&
    parseApiVersion(controller.apiVersion).group === parseApiVersion(owner.apiVersion).group
  );
}

/** Adds templates by their names, as they have no conditions. */
export function addTemplates(
  tree: ObjectTree,
  parent: TreeNode,
  templates: Readonly<Record<string, unknown>>,
): void {
  const named = Object.entries(templates).flatMap(([role, reference]) => {
    const { kind, name } = Object(reference);
    return kind && name ? [treeNode({ kind, name, shape: "reference", role })] : [];
  });
  if (named.length === 0) return;
  const group = { kind: "TemplateGroup", name: parent.name, shape: "virtual" } as const;
  const node = treeNode({ ...group, role: "Templates", order: 1 });
  tree.add(parent, node);
  for (const template of named) tree.add(node, template);
}
