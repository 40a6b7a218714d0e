import type { Container, ContainerStatus, PodStatus } from "@rookery/api";
import {
  type BoundPod,
  containersOf,
  initContainersOf,
  isRestarted,
  isSidecar,
  isTerminalPhase,
} from "./pod.ts";
import { hasStarted, podConditions } from "./pod-conditions.ts";

/** The state of a pod at one moment. */
export interface ObservedPod {
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
export function podStatus(pod: BoundPod, moment: ObservedPod): PodStatus {
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

/** Ephemeral containers have no probes. */
function unprobed({ started: _, ...status }: ContainerStatus): ContainerStatus {
  return { ...status, ready: false };
}

function phaseOf(pod: BoundPod, moment: ObservedPod): string {
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

/** How many containers are in which state, as it matters to the phase. */
interface Tally {
  pending: number;
  failedForGood: number;
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  stoppedForGood: number;
  succeeded: number;
}

/**
 * The phase of a pod by the states of its containers, as a kubelet derives it. A pod that is
 * terminal, such as one that is deleted, has no container started again whatever its policy says.
 */
export function podPhase(
  pod: BoundPod,
  statuses: readonly ContainerStatus[],
  options: { readonly isTerminal: boolean; readonly hasInitialized: boolean },
): string {
  const tally = tallyOf(pod, statuses, options.hasInitialized);
  if (tally.failedForGood > 0) return "Failed";
  if (tally.pending > 0 || tally.waiting > 0) return "Pending";
  if (tally.unknown > 0) return "Pending";
  if (tally.running > 0) return "Running";
  if (tally.stopped === 0) return "Pending";
  if (!options.isTerminal && tally.stopped !== tally.stoppedForGood) return "Running";
  return tally.stopped === tally.succeeded ? "Succeeded" : "Failed";
}

function tallyOf(
  pod: BoundPod,
  statuses: readonly ContainerStatus[],
  hasInitialized: boolean,
): Tally {
  const tally: Tally = {
    pending: 0,
    failedForGood: 0,
    unknown: 0,
    running: 0,
    waiting: 0,
    stopped: 0,
    stoppedForGood: 0,
    succeeded: 0,
  };
  const byName = new Map(statuses.map((status) => [status.name, status]));
  for (const container of initContainersOf(pod)) {
    const status = byName.get(container.name);
    if (isSidecar(container)) countSidecar(tally, status, hasInitialized);
    else countInit(tally, status, { pod, container });
  }
  for (const container of containersOf(pod)) {
    countContainer(tally, byName.get(container.name), { pod, container });
  }
  return tally;
}

interface Of {
  readonly pod: BoundPod;
  readonly container: Container;
}

function countInit(tally: Tally, status: ContainerStatus | undefined, { pod, container }: Of) {
  const { terminated } = status?.state ?? {};
  const last = status?.state?.waiting ? status.lastState?.terminated : undefined;
  const ended = terminated ?? last;
  if (!ended) tally.pending += 1;
  else if (ended.exitCode && !isRestarted(pod, container, ended.exitCode)) {
    tally.failedForGood += 1;
  }
}

function countSidecar(tally: Tally, status: ContainerStatus | undefined, hasInitialized: boolean) {
  const { running, terminated, waiting } = status?.state ?? {};
  if (running) {
    if (!status?.started && !hasInitialized) tally.pending += 1;
    tally.running += 1;
  } else if (!terminated && !(waiting && status?.lastState?.terminated)) {
    if (waiting) tally.waiting += 1;
    else tally.unknown += 1;
  }
}

function countContainer(tally: Tally, status: ContainerStatus | undefined, { pod, container }: Of) {
  const { running, terminated, waiting } = status?.state ?? {};
  const ended = terminated ?? (waiting ? status?.lastState?.terminated : undefined);
  if (running) tally.running += 1;
  else if (ended) {
    tally.stopped += 1;
    const { exitCode = 0 } = ended;
    if (!isRestarted(pod, container, exitCode)) tally.stoppedForGood += 1;
    if (terminated && exitCode === 0) tally.succeeded += 1;
  } else if (waiting) tally.waiting += 1;
  else tally.unknown += 1;
}
