import type { Pod } from "./pod.ts";

/** What one container of a pod does at this moment. */
export interface ContainerState {
  readonly name: string;
  readonly image: string;
  /** Why it does not run; undefined while it does. */
  readonly waiting: { readonly reason: string; readonly message?: string } | undefined;
  readonly startedAt: string | undefined;
  /** Its startup probe, if any, has succeeded. */
  readonly started: boolean;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly lastExit: ContainerExit | undefined;
}

export interface ContainerExit {
  readonly exitCode: number;
  readonly reason: string;
  /** What it wrote last, where it failed. */
  readonly message: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

interface PodStatus {
  readonly podIP?: string;
  readonly startTime?: string;
  readonly conditions?: readonly PodCondition[];
}

export function isReadyPod(pod: Pod): boolean {
  const { conditions } = (pod.status ?? {}) as PodStatus;
  return conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** The status of a pod as a kubelet would write it; times of conditions that stay are kept. */
export function podStatus(
  before: object | undefined,
  podIP: string,
  { containers, now }: { readonly containers: readonly ContainerState[]; readonly now: string },
) {
  const { startTime, conditions = [] } = (before ?? {}) as PodStatus;
  const ready = containers.every((container) => container.ready);
  const condition = (type: string, holds: boolean): PodCondition => {
    const status = holds ? "True" : "False";
    const known = conditions.find((one) => one.type === type && one.status === status);
    return { type, status, lastTransitionTime: known?.lastTransitionTime ?? now };
  };
  return {
    phase: containers.some(({ startedAt }) => startedAt) ? "Running" : "Pending",
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: startTime ?? now,
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", ready),
      condition("Ready", ready),
    ],
    containerStatuses: containers.map(containerStatus),
  };
}

function containerStatus(state: ContainerState) {
  const { name, image, waiting, startedAt, started, ready, restartCount, lastExit } = state;
  return {
    name,
    image,
    imageID: image,
    ready,
    started,
    restartCount,
    state: waiting ? { waiting } : { running: { startedAt } },
    lastState: lastExit ? { terminated: lastExit } : {},
  };
}
