import { type Clock, parseTime } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { failureCause } from "../component/failure-cause.ts";
import type { Pod } from "../manifests/kinds.ts";

/** The progress of a member's start by its pod. */
export interface MemberStart {
  /** Whether the program has failed repeatedly. */
  readonly isFailing: boolean;
  /** Whether the start takes longer than any normal start. */
  readonly isLate: boolean;
  /** Whether the program ran, and may have written to its volume. */
  readonly hasRun: boolean;
  /** Why the pod is not ready. */
  readonly cause: string;
}

/** A running member publishes its name within seconds after contact with the leader. */
const longestRunMs = 180_000;
/** The setup of volumes and network; the kubelet retries after up to two minutes. */
const longestSetupMs = 180_000;
/** A new node, or the pull of an image: another pod would start over. */
const longestWaitMs = 600_000;

/** Evaluates the start of a member by its pod. A pod that is being deleted will be replaced. */
export function memberStart(pod: Pod | undefined, clock: Clock): MemberStart {
  if (!pod) return { ...nothingYet, cause: "it has no pod yet" };
  if (isBeingDeleted(pod)) {
    return { ...nothingYet, cause: `its former pod ${pod.metadata.name} is being deleted` };
  }
  const [container] = pod.status?.containerStatuses ?? [];
  const { state = {}, lastState = {}, restartCount = 0 } = container ?? {};
  const ended = state.terminated ?? lastState.terminated;
  return {
    // The kubelet will not restart such a pod for minutes, although it could join now.
    isFailing: state.waiting?.reason === "CrashLoopBackOff" && restartCount >= 3,
    isLate: isLate(pod, clock),
    hasRun: state.running !== undefined || ended !== undefined || restartCount > 0,
    cause: failureCause([pod]) ?? `pod ${pod.metadata.name} has no container yet`,
  };
}

const nothingYet = { isFailing: false, isLate: false, hasRun: false };

function isLate({ metadata, status }: Pod, clock: Clock): boolean {
  const longerThan = (since: string | null | undefined, limit: number) =>
    typeof since === "string" && clock().getTime() - parseTime(since).getTime() > limit;
  const [container] = status?.containerStatuses ?? [];
  const running = container?.state?.running;
  if (running) return longerThan(running.startedAt, longestRunMs);
  const conditions = status?.conditions ?? [];
  const is = (type: string, wanted: string) =>
    conditions.some((one) => one.type === type && one.status === wanted);
  const isSettingUp = is("PodScheduled", "True") && is("PodReadyToStartContainers", "False");
  return longerThan(metadata.creationTimestamp, isSettingUp ? longestSetupMs : longestWaitMs);
}
