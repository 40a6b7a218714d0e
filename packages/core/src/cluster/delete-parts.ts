import type { Cluster, Machine } from "@rookery/api";
import { done, isBeingDeleted, type Result, requeueAfter } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";
import { PartTakenError } from "../errors.ts";
import { isControlPlaneMachine, isOwnedBy } from "../machine/policies.ts";
import { seeLog } from "../names.ts";
import type { ClusterDependencies, ObservedCluster } from "./scope.ts";

export interface DeletionStep {
  readonly reason: string;
  readonly message: string;
  readonly result: Result;
  readonly isOver: boolean;
}

type Found = Pick<ObservedCluster, "infrastructure" | "controlPlane" | "machines">;

const failed = { reason: "InternalError", message: seeLog, result: done, isOver: false };

/**
 * Deletes what a Cluster is made of, one after another: machines, then the control plane, which has
 * its own, then the infrastructure.
 */
export async function deleteParts(
  cluster: Cluster,
  found: Found,
  dependencies: ClusterDependencies,
): Promise<DeletionStep> {
  const machines = await deleteMachines(cluster, found.machines, dependencies);
  if (machines) return machines;
  const controlPlane = await deletePart(found.controlPlane, dependencies);
  if (controlPlane === "failed") return failed;
  if (controlPlane === "waiting") return waitingFor("ControlPlane", cluster.spec.controlPlaneRef);
  const infrastructure = await deletePart(found.infrastructure, dependencies);
  if (infrastructure === "failed") return failed;
  if (infrastructure === "waiting") {
    return waitingFor("Infrastructure", cluster.spec.infrastructureRef);
  }
  const message = "Deletion completed";
  return { reason: "DeletionCompleted", message, result: done, isOver: true };
}

async function deleteMachines(
  cluster: Cluster,
  machines: readonly Machine[],
  { deleteMachine }: ClusterDependencies,
): Promise<DeletionStep | undefined> {
  const workers = machines.filter((machine) => !isControlPlaneMachine(machine));
  // A control plane that is named deletes its own machines.
  const standAlone = cluster.spec.controlPlaneRef ? [] : machines.filter(isControlPlaneMachine);
  for (const machine of [...workers, ...standAlone]) {
    if (isOwnedBy(machine, cluster) && !isBeingDeleted(machine)) await deleteMachine(machine);
  }
  const lines = [
    ...listed("Control plane Machines", standAlone),
    ...listed("Worker Machines", workers),
  ];
  if (lines.length === 0) return undefined;
  const message = lines.map((line) => `* ${line}`).join("\n");
  const result = requeueAfter(5);
  return { reason: "WaitingForWorkersDeletion", message, result, isOver: false };
}

const shown = 5;

function listed(what: string, machines: readonly Machine[]): string[] {
  if (machines.length === 0) return [];
  const names = machines.map(({ metadata }) => metadata.name ?? "").sort();
  const more = names.length > shown ? `, ... (${names.length - shown} more)` : "";
  return [`${what}: ${names.slice(0, shown).join(", ")}${more}`];
}

async function deletePart(
  lookup: Lookup,
  { externals }: ClusterDependencies,
): Promise<"gone" | "waiting" | "failed"> {
  if (lookup.outcome === "failed") {
    return lookup.error instanceof PartTakenError ? "gone" : "failed";
  }
  if (lookup.outcome !== "found") return "gone";
  await externals.remove(lookup);
  return "waiting";
}

function waitingFor(
  part: "ControlPlane" | "Infrastructure",
  reference: { readonly kind: string } | undefined,
): DeletionStep {
  const message = `Waiting for ${reference?.kind} to be deleted`;
  return { reason: `WaitingFor${part}Deletion`, message, result: done, isOver: false };
}
