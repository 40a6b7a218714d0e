import type { Container, ContainerStatus } from "@rookery/api";
import { formatTime } from "@rookery/kube";
import { type BoundPod, initContainersOf, isRestarted, isSidecar } from "../pod/pod.ts";
import type { PodRecord } from "./pod-record.ts";

/** The state of a container after an earlier run of the node. */
export interface KnownContainer {
  readonly status: ContainerStatus;
  /** Whether it has ended and is not restarted. */
  readonly isOver: boolean;
}

/**
 * The state of a container of an earlier run of the node: a container that ran then has ended with an
 * unknown result, as after a reboot. Init containers run again, because the pod starts again.
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
  const isOver = terminated !== undefined && !isInit && !isRestarted(pod, container, exitCode);
  return { status, isOver };
}

function ended(status: ContainerStatus, now: Date): ContainerStatus {
  const { state = {}, containerID = "" } = status;
  if (state.terminated) return { ...status, ready: false, started: false };
  if (state.waiting && status.lastState?.terminated) return status;
  const startedAt = state.running?.startedAt ?? formatTime(now);
  const terminated = {
    exitCode: 255,
    reason: "Unknown",
    startedAt,
    finishedAt: formatTime(now),
    containerID,
  };
  return { ...status, state: { terminated }, ready: false, started: false };
}
