import type { KubeObject } from "@rookery/kube";

interface ContainerState {
  readonly running?: { readonly startedAt?: string };
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: {
    readonly reason?: string;
    readonly message?: string;
    readonly exitCode?: number;
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface PodStatus {
  readonly phase?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly message?: string;
  }[];
}

export type Pod = KubeObject<unknown, PodStatus>;

/** The restarts after which a crash counts as a failure: a container may start too early. */
const crashes = 3;
/** Reasons of waiting containers that do not pass. */
const hopeless: ReadonlySet<string> = new Set(["InvalidImageName", "ErrImageNeverPull"]);

/** The problems in the statuses of pods, one sentence for each container. */
export function describePods(pods: readonly Pod[]): readonly string[] {
  return pods.flatMap((pod) => [
    ...statusesOf(pod).flatMap((status) => containerTrouble(pod, status)),
    ...schedulingTrouble(pod),
  ]);
}

/** Most programs that fail at their start end within this time. */
const startSeconds = 10;
/** Longer than most programs run between two crashes. */
const restartSeconds = 60;

/** One sentence for each of the containers that has not run long enough to count as available. */
export function unsteadyContainers(
  pods: readonly Pod[],
  containers: ReadonlySet<string>,
  now: Date,
): readonly string[] {
  // Pods that ended, such as evicted ones, still exist.
  const counted = pods.filter(
    ({ status }) => !["Failed", "Succeeded"].includes(status?.phase ?? ""),
  );
  return counted.flatMap((pod) =>
    statusesOf(pod).flatMap((status) => {
      if (!containers.has(status.name)) return [];
      const { restartCount = 0, state } = status;
      const seconds = restartCount > 0 ? restartSeconds : startSeconds;
      const startedAt = Date.parse(state?.running?.startedAt ?? "");
      const hasRun = (now.getTime() - startedAt) / 1000;
      if (Number.isNaN(hasRun) || hasRun >= seconds) return [];
      const ended = endOf(status);
      const restarts =
        restartCount > 0 ? ` since its restart (${restartCount})${ended && `; ${ended}`}` : "";
      return [
        `container ${status.name} of pod ${pod.metadata.name} has no readiness probe and has not run for ${seconds} s${restarts}`,
      ];
    }),
  );
}

export function isFailing(pod: Pod): boolean {
  return statusesOf(pod).some(({ restartCount = 0, state }) => {
    const reason = state?.waiting?.reason ?? "";
    return hopeless.has(reason) || (reason === "CrashLoopBackOff" && restartCount >= crashes);
  });
}

function statusesOf({ status = {} }: Pod): readonly ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

function containerTrouble({ metadata }: Pod, status: ContainerStatus): string[] {
  const { name, restartCount = 0, state } = status;
  const reason = state?.waiting?.reason;
  if (!reason || reason === "ContainerCreating" || reason === "PodInitializing") return [];
  const why = endOf(status) || (state?.waiting?.message ?? "").trim();
  const restarts = restartCount > 0 ? ` after ${restartCount} restarts` : "";
  return [
    `container ${name} of pod ${metadata.name} is in ${reason}${restarts}${why && `: ${why}`}`,
  ];
}

function endOf({ state, lastState }: ContainerStatus): string {
  const ended = lastState?.terminated ?? state?.terminated;
  if (!ended) return "";
  return `it ended with code ${ended.exitCode} ${ended.message ?? ended.reason ?? ""}`.trim();
}

function schedulingTrouble({ metadata, status }: Pod): string[] {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False") return [];
  return [`pod ${metadata.name} has no node: ${scheduled.message ?? "no reason is given"}`];
}
