import type { Cluster } from "@rookery/api";
import { createLifecycle, done, type Outcome, type Result, requeueAfter } from "@rookery/runtime";
import { whenPaused } from "../conditions/order.ts";
import { oneError, ReportedError } from "../errors.ts";
import { errorCondition } from "../failures.ts";
import { clusterFinalizer } from "../names.ts";
import { earliest, failing, missingSeconds, requeueForMissing } from "../steps.ts";
import { deleteParts } from "./phases/delete-parts.ts";
import { findParts } from "./phases/find-parts.ts";
import { report } from "./phases/report.ts";
import { isValidEndpoint, withEndpoint } from "./policies.ts";
import type { ClusterScope } from "./scope.ts";

/** Joins a Cluster with its infrastructure and control plane, and deletes them with it. */
export const clusterLifecycle = createLifecycle<Cluster, ClusterScope>({
  finalizer: clusterFinalizer,
  finalizerFirst: true,
  whenPaused: (cluster, { clock }) => whenPaused(cluster, cluster, clock),
  provision,
  remove,
  removed,
  errors: errorCondition("Available", "Unknown"),
});

async function provision(read: Cluster, scope: ClusterScope): Promise<Outcome<Cluster>> {
  const { problems, ...parts } = await findParts(read, scope);
  const machines = await scope.listMachines(read);
  const current = await scope.commit(read, withEndpoint(read, parts));
  const kubeconfig = await kubeconfigOf(current, scope);
  const all = [...problems, ...kubeconfig.problems];
  const object = await report({ read, current, ...parts, machines, problems: all }, scope);
  // No condition shows an error of the kubeconfig.
  if (kubeconfig.problems.length > 0) throw oneError(all);
  if (problems.length > 0) throw new ReportedError(problems);
  const { infrastructure, controlPlane } = parts;
  const missing = requeueForMissing(infrastructure, controlPlane);
  return { object, result: earliest(kubeconfig.result, missing) };
}

interface KubeconfigStep {
  readonly result: Result;
  readonly problems: readonly unknown[];
}

/** The control plane object creates the kubeconfig; the core does where there is none. */
async function kubeconfigOf(
  cluster: Cluster,
  { ensureKubeconfig }: ClusterScope,
): Promise<KubeconfigStep> {
  const ready = { result: done, problems: [] };
  if (!isValidEndpoint(cluster.spec) || cluster.spec.controlPlaneRef) return ready;
  try {
    const isThere = (await ensureKubeconfig(cluster)) === "exists";
    return isThere ? ready : { ...ready, result: requeueAfter(missingSeconds) };
  } catch (error) {
    return { ...ready, problems: [error] };
  }
}

async function remove(
  cluster: Cluster,
  scope: ClusterScope,
): Promise<Outcome<Cluster> | "removed"> {
  const { problems, ...parts } = await findParts(cluster, scope);
  const found = { ...parts, machines: await scope.listMachines(cluster) };
  const deleting = await deleteParts(cluster, found, scope).catch((error: unknown) =>
    failing("InternalError", "", error),
  );
  const { error, isOver, result } = deleting;
  const all = error === undefined ? problems : [...problems, error];
  const states = { read: cluster, current: cluster };
  const object = await report({ ...states, ...found, deleting, problems: all }, scope);
  if (error !== undefined) throw oneError(all);
  if (problems.length > 0) throw new ReportedError(problems);
  return isOver ? "removed" : { object, result };
}

function removed(cluster: Cluster, { recorder }: ClusterScope): void {
  const note = `Cluster ${cluster.metadata.name} has been deleted`;
  recorder.event(cluster, { type: "Normal", reason: "Deleted", note });
}
