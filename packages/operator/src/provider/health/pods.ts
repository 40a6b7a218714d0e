import type { KubeObject } from "@rookery/kube";

interface ContainerState {
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
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly message?: string;
  }[];
}

export type Pod = KubeObject<unknown, PodStatus>;

/** A container that ends once or twice at its start may only have been early. */
const crashes = 3;
/** Reasons to wait that no waiting helps against. */
const hopeless: ReadonlySet<string> = new Set(["InvalidImageName", "ErrImageNeverPull"]);

/** What the statuses of pods say is wrong, one sentence for each container. */
export function troubleOf(pods: readonly Pod[]): readonly string[] {
  return pods.flatMap((pod) => [
    ...statusesOf(pod).flatMap((status) => containerTrouble(pod, status)),
    ...schedulingTrouble(pod),
  ]);
}

/** Whether a pod crashes again and again, or cannot start at all. */
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
  const { name, restartCount = 0, state, lastState } = status;
  const reason = state?.waiting?.reason;
  if (!reason || reason === "ContainerCreating" || reason === "PodInitializing") return [];
  const ended = lastState?.terminated ?? state?.terminated;
  const last =
    ended && `it ended with code ${ended.exitCode} ${ended.message ?? ended.reason ?? ""}`;
  const why = (last ?? state?.waiting?.message ?? "").trim();
  const restarts = restartCount > 0 ? ` after ${restartCount} restarts` : "";
  return [
    `container ${name} of pod ${metadata.name} is in ${reason}${restarts}${why && `: ${why}`}`,
  ];
}

function schedulingTrouble({ metadata, status }: Pod): string[] {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False") return [];
  return [`pod ${metadata.name} has no node: ${scheduled.message ?? "no reason is given"}`];
}
