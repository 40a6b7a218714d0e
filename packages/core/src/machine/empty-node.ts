import type { Cluster, Machine } from "@rookery/api";
import { type Clock, formatTime } from "@rookery/kube";
import { requeueAfter } from "@rookery/runtime";
import { NotConnectedError } from "../errors.ts";
import { type DeletionStep, isOverdue, waiting } from "./deletion-step.ts";
import { drainNode, existing } from "./drain.ts";
import { isUnreachable } from "./node.ts";
import { hooksOf } from "./policies.ts";
import type { MachineDependencies } from "./scope.ts";

const retrySeconds = 20;

/** Waits for those who asked to, then drains the node and waits for its volumes. */
export async function emptyNode(
  machine: Machine,
  cluster: Cluster,
  { workloadClient, clock }: MachineDependencies,
): Promise<DeletionStep> {
  const hooks = hooksOf(machine, "pre-drain.delete.hook.machine.cluster.x-k8s.io");
  if (hooks.length > 0) {
    const message = `Waiting for pre-drain hooks to succeed (hooks: ${hooks.join()})`;
    return waiting("WaitingForPreDrainHook", message);
  }
  const isDrained = await drain(machine, workloadClient(cluster), clock);
  if (!isDrained.isOver) return isDrained;
  const withDrain = {
    ...machine,
    status: { ...machine.status, deletion: isDrained.deletion ?? {} },
  };
  return detach(withDrain, workloadClient(cluster), clock);
}

type WorkloadClient = ReturnType<MachineDependencies["workloadClient"]>;

async function drain(
  machine: Machine,
  client: WorkloadClient,
  clock: Clock,
): Promise<DeletionStep> {
  const { spec, status, metadata } = machine;
  const began = status?.deletion?.nodeDrainStartTime;
  const isExcluded =
    "machine.cluster.x-k8s.io/exclude-node-draining" in (metadata.annotations ?? {});
  const over = {
    ...waiting("", ""),
    isOver: true,
    ...(status?.deletion && { deletion: status.deletion }),
  };
  if (isExcluded || isOverdue(began, spec.deletion?.nodeDrainTimeoutSeconds, clock)) return over;
  const nodeDrainStartTime = began ?? formatTime(clock());
  const deletion = { ...status?.deletion, nodeDrainStartTime };
  try {
    if (!client) throw new NotConnectedError(spec.clusterName);
    const left = await drainNode(client, status?.nodeRef?.name ?? "");
    if (left === undefined) return { ...over, deletion };
    const message = `Drain not completed yet (started at ${nodeDrainStartTime}):\n${left}`;
    return { ...waiting("DrainingNode", message, requeueAfter(retrySeconds)), deletion };
  } catch (error) {
    const message = "Error draining Node, please check controller logs for errors";
    return { ...waiting("DrainingNode", message), deletion, error };
  }
}

async function detach(
  machine: Machine,
  client: WorkloadClient,
  clock: Clock,
): Promise<DeletionStep> {
  const { spec, status, metadata } = machine;
  const began = status?.deletion?.waitForNodeVolumeDetachStartTime;
  const excluded = "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach";
  const over = {
    ...waiting("", ""),
    isOver: true,
    ...(status?.deletion && { deletion: status.deletion }),
  };
  const isLate = isOverdue(began, spec.deletion?.nodeVolumeDetachTimeoutSeconds, clock);
  if (excluded in (metadata.annotations ?? {}) || isLate) return over;
  const waitForNodeVolumeDetachStartTime = began ?? formatTime(clock());
  const deletion = { ...status?.deletion, waitForNodeVolumeDetachStartTime };
  try {
    if (!client) throw new NotConnectedError(spec.clusterName);
    const node = await existing(client, status?.nodeRef?.name ?? "");
    const volumes = node && !isUnreachable(node) ? (node.status?.volumesAttached ?? []) : [];
    if (volumes.length === 0) return { ...over, deletion };
    const message = `Waiting for Node volumes to be detached (started at ${waitForNodeVolumeDetachStartTime})`;
    return { ...waiting("WaitingForVolumeDetach", message, requeueAfter(retrySeconds)), deletion };
  } catch (error) {
    const message =
      "Error waiting for volumes to be detached from Node, please check controller logs for errors";
    return { ...waiting("WaitingForVolumeDetach", message), deletion, error };
  }
}
