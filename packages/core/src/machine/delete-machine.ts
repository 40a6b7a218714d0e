import type { Machine } from "@rookery/api";
import { type Clock, isNotFound } from "@rookery/kube";
import type { Lookup } from "../contract/externals.ts";
import { NotConnectedError } from "../errors.ts";
import { seeLog } from "../names.ts";
import { nodes } from "../resources.ts";
import { type DeletionStep, isOverdue, waiting } from "./deletion-step.ts";
import { emptyNode } from "./empty-node.ts";
import { mayDeleteNode } from "./node-deletion.ts";
import { hooksOf } from "./policies.ts";
import type { MachineDependencies, ObservedMachine } from "./scope.ts";

type Found = Pick<ObservedMachine, "cluster" | "bootstrap" | "infrastructure">;
type WorkloadClient = ReturnType<MachineDependencies["workloadClient"]>;

/** Deletes what a Machine is made of: the node is emptied, then infrastructure, bootstrap and node go. */
export async function deleteMachine(
  machine: Machine,
  found: Found,
  dependencies: MachineDependencies,
  signal: AbortSignal,
): Promise<DeletionStep> {
  let isNodeDeleted: boolean;
  try {
    isNodeDeleted = await mayDeleteNode(machine, found.cluster, dependencies, signal);
  } catch (error) {
    return { ...waiting("InternalError", seeLog), error };
  }
  const emptied = isNodeDeleted ? await emptyNode(machine, found.cluster, dependencies) : undefined;
  const deletion = emptied?.deletion ?? machine.status?.deletion;
  if (emptied && !emptied.isOver) return emptied;
  const rest = await deleteRest(machine, found, { isNodeDeleted, ...dependencies });
  return { ...rest, ...(deletion && { deletion }) };
}

async function deleteRest(
  machine: Machine,
  { cluster, infrastructure, bootstrap }: Found,
  options: MachineDependencies & { readonly isNodeDeleted: boolean },
): Promise<DeletionStep> {
  const hooks = hooksOf(machine, "pre-terminate.delete.hook.machine.cluster.x-k8s.io");
  if (hooks.length > 0) {
    const message = `Waiting for pre-terminate hooks to succeed (hooks: ${hooks.join()})`;
    return waiting("WaitingForPreTerminateHook", message);
  }
  const { infrastructureRef, bootstrap: wanted } = machine.spec;
  const gone =
    (await deletePart("Infrastructure", infrastructureRef.kind, infrastructure, options)) ??
    (wanted.configRef &&
      (await deletePart("Bootstrap", wanted.configRef.kind, bootstrap, options)));
  if (gone) return gone;
  const kept = options.isNodeDeleted
    ? await deleteNode(machine, options.workloadClient(cluster), options.clock)
    : undefined;
  return kept ?? { ...waiting("DeletionCompleted", "Deletion completed"), isOver: true };
}

/** Undefined where it is gone. */
async function deletePart(
  part: "Infrastructure" | "Bootstrap",
  kind: string,
  lookup: Lookup,
  { externals }: MachineDependencies,
): Promise<DeletionStep | undefined> {
  if (lookup.outcome === "missing") return undefined;
  if (lookup.outcome === "found") {
    try {
      await externals.remove(lookup);
    } catch (error) {
      const message = `Failed to delete ${kind}, please check controller logs for errors`;
      return { ...waiting("InternalError", message), error };
    }
  }
  return waiting(`WaitingFor${part}Deletion`, `Waiting for ${kind} to be deleted`);
}

/** Undefined where it is gone, or was tried to be for long enough. */
async function deleteNode(
  { metadata, spec, status }: Machine,
  client: WorkloadClient,
  clock: Clock,
): Promise<DeletionStep | undefined> {
  try {
    if (!client) throw new NotConnectedError(spec.clusterName);
    await client.resource(nodes).delete({ name: status?.nodeRef?.name ?? "" });
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    const limit = spec.deletion?.nodeDeletionTimeoutSeconds;
    if (isOverdue(metadata.deletionTimestamp, limit, clock)) return undefined;
    const message = "Error deleting Node, please check controller logs for errors";
    return { ...waiting("DeletingNode", message), error };
  }
}
