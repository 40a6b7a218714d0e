import type { ContainerStatus, PodStatus } from "@rookery/api";
import { type BoundPod, isTerminalPhase } from "./pod.ts";
import { hasStarted, podConditions } from "./pod-conditions.ts";
import { podPhase } from "./pod-phase.ts";

/** What is known of a pod at one moment. */
export interface PodMoment {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  readonly ephemeralStatuses: readonly ContainerStatus[];
  /** Undefined until the pod has one. */
  readonly podIP: string | undefined;
  readonly hostIP: string;
  readonly hasSandbox: boolean;
  /** Nothing is started again. */
  readonly isTerminal: boolean;
  /** Why the node gave the pod up, such as by its deadline. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
  readonly startTime: string;
  readonly now: string;
}

/** The status that a kubelet would write; of the pod's own status it takes what stays. */
export function podStatus(pod: BoundPod, moment: PodMoment): PodStatus {
  const { initStatuses, statuses, ephemeralStatuses, podIP, hostIP, failure } = moment;
  const phase = phaseOf(pod, moment);
  const { generation } = pod.metadata;
  const reasons = failure ?? keptReasons(pod, phase);
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    phase,
    ...reasons,
    conditions: podConditions(pod, { ...moment, phase }),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
    startTime: moment.startTime,
    ...(initStatuses.length > 0 && { initContainerStatuses: [...initStatuses] }),
    containerStatuses: [...statuses].sort(byName),
    ...(ephemeralStatuses.length > 0 && {
      ephemeralContainerStatuses: ephemeralStatuses.map(unprobed).sort(byName),
    }),
  };
}

/** Nobody asks such a container how it is. */
function unprobed({ started: _, ...status }: ContainerStatus): ContainerStatus {
  return { ...status, ready: false };
}

function phaseOf(pod: BoundPod, moment: PodMoment): string {
  // There is no way back from these.
  if (isTerminalPhase(pod.status?.phase)) return pod.status?.phase ?? "";
  if (moment.failure) return "Failed";
  const { initStatuses, statuses, isTerminal } = moment;
  const hasInitialized = statuses.some(hasStarted);
  const phase = podPhase(pod, [...initStatuses, ...statuses], { isTerminal, hasInitialized });
  // What never began has failed when nothing begins any more.
  return isTerminal && !isTerminalPhase(phase) ? "Failed" : phase;
}

function keptReasons({ status }: BoundPod, phase: string): Pick<PodStatus, "reason" | "message"> {
  if (status?.phase !== phase) return {};
  const { reason, message } = status;
  return { ...(reason && { reason }), ...(message && { message }) };
}

function byName(one: ContainerStatus, other: ContainerStatus): number {
  return (one.name ?? "") < (other.name ?? "") ? -1 : 1;
}
