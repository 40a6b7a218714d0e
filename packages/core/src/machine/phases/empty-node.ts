import type { Cluster, Machine } from "@rookery/api";
import type { Client } from "@rookery/client";
import { type Clock, formatTime } from "@rookery/kube";
import { requeueAfter } from "@rookery/runtime";
import { NotConnectedError } from "../../errors.ts";
import { type DeletionStep, failing, waiting } from "../../steps.ts";
import { isUnreachable } from "../node.ts";
import { hooksOf, isOverdue } from "../policies.ts";
import type { MachineScope } from "../scope.ts";
import { drainNode, readNode } from "./drain-node.ts";

type Deletion = NonNullable<NonNullable<Machine["status"]>["deletion"]>;

/** A step of the deletion of a Machine. */
export interface MachineDeletionStep extends DeletionStep {
  /** When the steps with a time limit started. */
  readonly deletion?: Deletion | undefined;
}

const retrySeconds = 20;

/** Waits for hooks, then drains the node and waits for its volumes. */
export async function emptyNode(
  machine: Machine,
  cluster: Cluster,
  { workloadClient, clock }: Pick<MachineScope, "workloadClient" | "clock">,
): Promise<MachineDeletionStep> {
  const hooks = hooksOf(machine, "pre-drain.delete.hook.machine.cluster.x-k8s.io");
  if (hooks.length > 0) {
    const message = `Waiting for pre-drain hooks to succeed (hooks: ${hooks.join()})`;
    return waiting("WaitingForPreDrainHook", message);
  }
  const drained = await runStep(drain, machine, { client: workloadClient(cluster), clock });
  if (!drained.isOver) return drained;
  const current = { ...machine, status: { ...machine.status, deletion: drained.deletion ?? {} } };
  return runStep(detach, current, { client: workloadClient(cluster), clock });
}

/** A step with a time limit that needs the API server of the cluster. */
interface TimedStep {
  readonly reason: string;
  readonly startField: keyof Deletion;
  readonly limitField: "nodeDrainTimeoutSeconds" | "nodeVolumeDetachTimeoutSeconds";
  /** Annotation: the step is skipped. */
  readonly exclude: string;
  readonly failure: string;
  /** The message while the step waits; undefined where it is over. */
  readonly run: (client: Client, node: string, started: string) => Promise<string | undefined>;
}

const drain: TimedStep = {
  reason: "DrainingNode",
  startField: "nodeDrainStartTime",
  limitField: "nodeDrainTimeoutSeconds",
  exclude: "machine.cluster.x-k8s.io/exclude-node-draining",
  failure: "Error draining Node, please check controller logs for errors",
  run: async (client, node, started) => {
    const left = await drainNode(client, node);
    return left && `Drain not completed yet (started at ${started}):\n${left}`;
  },
};

const detach: TimedStep = {
  reason: "WaitingForVolumeDetach",
  startField: "waitForNodeVolumeDetachStartTime",
  limitField: "nodeVolumeDetachTimeoutSeconds",
  exclude: "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach",
  failure:
    "Error waiting for volumes to be detached from Node, please check controller logs for errors",
  run: async (client, name, started) => {
    const node = await readNode(client, name);
    const volumes = node && !isUnreachable(node) ? (node.status?.volumesAttached ?? []) : [];
    if (volumes.length === 0) return undefined;
    return `Waiting for Node volumes to be detached (started at ${started})`;
  },
};

/** Runs a step, unless it is excluded or overdue. Never rejects. */
async function runStep(
  { reason, startField, limitField, exclude, failure, run }: TimedStep,
  { metadata, spec, status }: Machine,
  { client, clock }: { readonly client: Client | undefined; readonly clock: Clock },
): Promise<MachineDeletionStep> {
  const known = status?.deletion?.[startField];
  const over = { ...waiting("", ""), isOver: true };
  const isExcluded = exclude in (metadata.annotations ?? {});
  if (isExcluded || isOverdue(known, spec.deletion?.[limitField], clock)) {
    return { ...over, deletion: status?.deletion };
  }
  const started = known ?? formatTime(clock());
  const deletion = { ...status?.deletion, [startField]: started };
  try {
    if (!client) throw new NotConnectedError(spec.clusterName);
    const message = await run(client, status?.nodeRef?.name ?? "", started);
    if (message === undefined) return { ...over, deletion };
    return { ...waiting(reason, message, requeueAfter(retrySeconds)), deletion };
  } catch (error) {
    return { ...failing(reason, failure, error), deletion };
  }
}
