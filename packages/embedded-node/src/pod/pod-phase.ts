import type { Container, ContainerStatus } from "@rookery/api";
import { type BoundPod, containersOf, initContainersOf, isSidecar, isStartedAgain } from "./pod.ts";

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
    ...{ pending: 0, failedForGood: 0, unknown: 0, running: 0 },
    ...{ waiting: 0, stopped: 0, stoppedForGood: 0, succeeded: 0 },
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
  else if (ended.exitCode && !isStartedAgain(pod, container, ended.exitCode)) {
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
    if (!isStartedAgain(pod, container, exitCode)) tally.stoppedForGood += 1;
    if (terminated && exitCode === 0) tally.succeeded += 1;
  } else if (waiting) tally.waiting += 1;
  else tally.unknown += 1;
}
