import type { Cluster, Machine } from "@rookery/api";
import { isBeingDeleted, requeueAfter } from "@rookery/runtime";
import type { Lookup } from "../../contract/externals.ts";
import { PartTakenError } from "../../errors.ts";
import { isControlPlaneMachine, isOwnedBy } from "../../machine/policies.ts";
import { seeLog } from "../../names.ts";
import { type DeletionStep, deletionCompleted, waiting } from "../../steps.ts";
import type { ClusterParts, ClusterScope } from "../scope.ts";

type Deletable = ClusterParts & { readonly machines: readonly Machine[] };
type Scope = Pick<ClusterScope, "externals" | "deleteMachine">;

/**
 * Deletes the parts of a Cluster, one after another: Machines, then the control plane, which deletes its own
 * Machines, then the infrastructure.
 */
export async function deleteParts(
  cluster: Cluster,
  { machines, controlPlane, infrastructure }: Deletable,
  scope: Scope,
): Promise<DeletionStep> {
  const { controlPlaneRef, infrastructureRef } = cluster.spec;
  const { externals } = scope;
  return (
    (await deleteMachines(cluster, machines, scope)) ??
    (await deletePart("ControlPlane", controlPlaneRef?.kind, {
      lookup: controlPlane,
      externals,
    })) ??
    (await deletePart("Infrastructure", infrastructureRef?.kind, {
      lookup: infrastructure,
      externals,
    })) ??
    deletionCompleted
  );
}

async function deleteMachines(
  cluster: Cluster,
  machines: readonly Machine[],
  { deleteMachine }: Scope,
): Promise<DeletionStep | undefined> {
  const workers = machines.filter((machine) => !isControlPlaneMachine(machine));
  // A control plane object deletes its own Machines.
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
  return waiting("WaitingForWorkersDeletion", message, requeueAfter(5));
}

const shown = 5;

function listed(title: string, machines: readonly Machine[]): string[] {
  if (machines.length === 0) return [];
  const names = machines.map(({ metadata }) => metadata.name ?? "").sort();
  const more = names.length > shown ? `, ... (${names.length - shown} more)` : "";
  return [`${title}: ${names.slice(0, shown).join(", ")}${more}`];
}

/** Undefined where the part is gone, or belongs to another Cluster. */
async function deletePart(
  part: "ControlPlane" | "Infrastructure",
  kind: string | undefined,
  { lookup, externals }: Pick<Scope, "externals"> & { readonly lookup: Lookup },
): Promise<DeletionStep | undefined> {
  if (lookup.outcome === "failed") {
    const isOther = lookup.error instanceof PartTakenError;
    return isOther ? undefined : waiting("InternalError", seeLog);
  }
  if (lookup.outcome !== "found") return undefined;
  await externals.remove(lookup);
  return waiting(`WaitingFor${part}Deletion`, `Waiting for ${kind} to be deleted`);
}
