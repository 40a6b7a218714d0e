import { isWithoutMachines, noMachines } from "../get/clusters.ts";
import type { ObjectTree } from "./object-tree.ts";
import { type Shower, type ShownCondition, showCondition } from "./shown-condition.ts";
import { conditionOf, conditionsOf } from "./tree-conditions.ts";
import type { TreeCondition, TreeNode } from "./tree-node.ts";

/** How many machines there are, of how many, and how they are; nothing where it does not apply. */
export interface Counters {
  readonly replicas?: string;
  readonly available?: number;
  readonly ready?: number;
  readonly upToDate?: number;
}

type Fields = Readonly<Record<string, unknown>> | undefined;

export function countersOf(node: TreeNode): Counters {
  const { object, shape, kind, group } = node;
  if (group) {
    const { available, ready, upToDate } = group;
    return { available, ready, upToDate };
  }
  if (shape === "control plane") return controlPlaneCounters(node);
  if (shape !== "core") return {};
  if (kind === "Cluster") return clusterCounters(object?.status);
  if (kind === "Machine") return machineCounters(node);
  if (kind !== "MachineDeployment" && kind !== "MachineSet") return {};
  const wanted = count(object?.spec, "replicas");
  const current = count(object?.status, "replicas") ?? 0;
  return {
    ...(wanted !== undefined && { replicas: `${current}/${wanted}` }),
    ...readyCounters(object?.status),
  };
}

/** The condition that speaks for an object in its line. */
export function leadingCondition(node: TreeNode, shower: Shower): ShownCondition | undefined {
  const found = leadingTypes(node)
    .map((type) => conditionOf(node, type, "v1beta2"))
    .find((condition) => condition !== undefined);
  if (!found) return undefined;
  const shown = showCondition(found, shower);
  const { object, kind } = node;
  const isExpected = kind === "Cluster" && object !== undefined && isWithoutMachines(object);
  if (!isExpected || found.status === "True") return shown;
  return { ...shown, status: shower.paint("yellow", found.status), reason: noMachines };
}

function leadingTypes({ shape, kind }: TreeNode): readonly string[] {
  if (shape === "control plane") return ["Available", "Ready"];
  if (shape !== "core" || kind === "Machine") return ["Ready"];
  return kind === "Cluster" || kind === "MachineDeployment" ? ["Available"] : [];
}

/** Of the control plane and of the workers together. */
function clusterCounters(status: Fields): Counters {
  const parts = [status?.controlPlane, status?.workers] as readonly Fields[];
  const sum = (...names: readonly string[]) => {
    const counts = parts.flatMap((part) => names.map((name) => count(part, name)));
    const known = counts.filter((one) => one !== undefined);
    return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0);
  };
  const [current, wanted] = [sum("replicas"), sum("desiredReplicas")];
  const [available, ready, upToDate] = [
    ...[sum("availableReplicas"), sum("readyReplicas"), sum("upToDateReplicas")],
  ];
  return {
    ...((current ?? wanted) !== undefined && { replicas: `${current ?? 0}/${wanted ?? 0}` }),
    ...(available !== undefined && { available }),
    ...(ready !== undefined && { ready }),
    ...(upToDate !== undefined && { upToDate }),
  };
}

function machineCounters(node: TreeNode): Counters {
  const one = (type: string) => (conditionOf(node, type, "v1beta2")?.status === "True" ? 1 : 0);
  return {
    replicas: "1",
    available: one("Available"),
    ready: one("Ready"),
    upToDate: one("UpToDate"),
  };
}

function controlPlaneCounters({ object, contract }: TreeNode): Counters {
  const [current, wanted] = [count(object?.status, "replicas"), count(object?.spec, "replicas")];
  const older = contract === "v1beta1" ? "updatedReplicas" : "upToDateReplicas";
  return {
    ...(current !== undefined && wanted !== undefined && { replicas: `${current}/${wanted}` }),
    ...readyCounters(object?.status, older),
  };
}

function readyCounters(status: Fields, upToDateField = "upToDateReplicas"): Counters {
  const [available, ready, upToDate] = [
    count(status, "availableReplicas"),
    count(status, "readyReplicas"),
    count(status, upToDateField),
  ];
  return {
    ...(available !== undefined && { available }),
    ...(ready !== undefined && { ready }),
    ...(upToDate !== undefined && { upToDate }),
  };
}

function count(fields: Fields, name: string): number | undefined {
  const value = fields?.[name];
  return typeof value === "number" ? value : undefined;
}

/** A node and what is below it, for programs. */
interface TreeValue extends Counters {
  readonly kind: string;
  readonly name: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly role?: string;
  readonly deletionTimestamp?: string;
  /** Of a node that stands for several. */
  readonly members?: readonly string[];
  readonly conditions: readonly TreeCondition[];
  readonly children: readonly TreeValue[];
}

export function treeValue(tree: ObjectTree, node: TreeNode = tree.root): TreeValue {
  const { kind, name, role, object, group } = node;
  const { namespace, deletionTimestamp } = object?.metadata ?? {};
  return {
    kind,
    name: group ? `${group.names.length} ${kind}` : name,
    ...(object && { apiVersion: object.apiVersion }),
    ...(namespace && { namespace }),
    ...(role && { role }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(group && { members: group.names }),
    ...countersOf(node),
    conditions: conditionsOf(node, tree.options.style),
    children: tree.childrenOf(node).map((child) => treeValue(tree, child)),
  };
}
