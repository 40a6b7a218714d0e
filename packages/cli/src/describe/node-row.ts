import { isWithoutMachines, noMachines } from "../get/clusters.ts";
import type { ObjectTree } from "./object-tree.ts";
import { type Shower, type ShownCondition, showCondition } from "./shown-condition.ts";
import { conditionOf, conditionsOf } from "./tree-conditions.ts";
import type { TreeCondition, TreeNode } from "./tree-node.ts";

/** The numbers of machines; undefined where they do not apply. */
export interface Counters {
  readonly replicas?: string | undefined;
  readonly available?: number | undefined;
  readonly ready?: number | undefined;
  readonly upToDate?: number | undefined;
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
    replicas: wanted === undefined ? undefined : `${current}/${wanted}`,
    ...readyCounters(object?.status),
  };
}

/** The condition in the line of an object. */
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

/** The sums of control plane and workers. */
function clusterCounters(status: Fields): Counters {
  const parts = [status?.controlPlane, status?.workers] as readonly Fields[];
  const sum = (name: string) => {
    const known = parts.map((part) => count(part, name)).filter((one) => one !== undefined);
    return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0);
  };
  const [current, wanted] = [sum("replicas"), sum("desiredReplicas")];
  const isKnown = (current ?? wanted) !== undefined;
  return {
    replicas: isKnown ? `${current ?? 0}/${wanted ?? 0}` : undefined,
    available: sum("availableReplicas"),
    ready: sum("readyReplicas"),
    upToDate: sum("upToDateReplicas"),
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
  const isKnown = current !== undefined && wanted !== undefined;
  const upToDate = contract === "v1beta1" ? "updatedReplicas" : "upToDateReplicas";
  return {
    replicas: isKnown ? `${current}/${wanted}` : undefined,
    ...readyCounters(object?.status, upToDate),
  };
}

function readyCounters(status: Fields, upToDateField = "upToDateReplicas"): Counters {
  return {
    available: count(status, "availableReplicas"),
    ready: count(status, "readyReplicas"),
    upToDate: count(status, upToDateField),
  };
}

function count(fields: Fields, name: string): number | undefined {
  const value = fields?.[name];
  return typeof value === "number" ? value : undefined;
}

/** A node and the nodes below it, for programs. */
interface TreeValue extends Counters {
  readonly kind: string;
  readonly name: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly role?: string;
  readonly deletionTimestamp?: string;
  /** The names of the objects of a group. */
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
