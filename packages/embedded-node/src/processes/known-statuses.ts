import type { Container, ContainerStatus } from "@rookery/api";
import { formatTime } from "@rookery/kube";
import { type BoundPod, initContainersOf, isSidecar, isStartedAgain } from "../pod/pod.ts";
import type { PodRecord } from "./pod-record.ts";

/** What is known of a container from an earlier run of the node. */
export interface KnownContainer {
  readonly status: ContainerStatus;
  /** It has ended and is not started again. */
  readonly isOver: boolean;
}

/**
 * Of a container that an earlier run of the node had: one that ran then has ended, nobody knows how,
 * as after a machine's reboot. Init containers run again, because the pod begins anew.
 */
export function knownContainer(
  pod: BoundPod,
  container: Container,
  { record, now }: { readonly record: PodRecord | undefined; readonly now: Date },
): KnownContainer | undefined {
  const { name = "" } = container;
  const { status: written } = pod;
  const all = [
    ...(written?.initContainerStatuses ?? []),
    ...(written?.containerStatuses ?? []),
    ...(written?.ephemeralContainerStatuses ?? []),
  ];
  const kept = record?.containers[name]?.status ?? all.find((one) => one.name === name);
  if (!kept?.containerID) return undefined;
  const status = ended(kept, now);
  const { terminated } = status.state ?? {};
  const isInit = initContainersOf(pod).includes(container) && !isSidecar(container);
  const exitCode = (terminated ?? status.lastState?.terminated)?.exitCode ?? 0;
  const isOver = terminated !== undefined && !isInit && !isStartedAgain(pod, container, exitCode);
  return { status, isOver };
}

function ended(status: ContainerStatus, now: Date): ContainerStatus {
  const { state = {}, containerID = "" } = status;
  if (state.terminated) return { ...status, ready: false, started: false };
  if (state.waiting && status.lastState?.terminated) return status;
  const startedAt = state.running?.startedAt ?? formatTime(now);
  const terminated = {
    ...{ exitCode: 255, reason: "Unknown", startedAt, finishedAt: formatTime(now) },
    containerID,
  };
  return { ...status, state: { terminated }, ready: false, started: false };
}
