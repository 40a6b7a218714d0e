import { type Clock, parseTime } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { failureCause } from "../component/failure-cause.ts";
import type { Pod } from "../manifests/kinds.ts";

/** What the pod of a member shows about the member's start. */
export interface MemberStart {
  /** Whether the program has ended again and again. */
  readonly isFailing: boolean;
  /** Whether the pod has tried for longer than any start takes. */
  readonly isLate: boolean;
  /** Whether the program has run, and may have written to its volume. */
  readonly hasRun: boolean;
  /** Why the pod is not ready, as far as its status shows it. */
  readonly cause: string;
}

/** A program that runs publishes its name within seconds of hearing from the leader, before any snapshot. */
const longestRunMs = 180_000;
/** Volumes and the network of a pod that has a node; the kubelet waits up to two minutes between attempts. */
const longestSetupMs = 180_000;
/** A node that is scaled up, or an image that is pulled: another pod would begin from the start. */
const longestWaitMs = 600_000;

/** Judges the start of a member by its pod; a pod that is being deleted is followed by another. */
export function memberStart(pod: Pod | undefined, clock: Clock): MemberStart {
  if (!pod) return { ...nothingYet, cause: "it has no pod yet" };
  if (isBeingDeleted(pod)) {
    return { ...nothingYet, cause: `its former pod ${pod.metadata.name} is being deleted` };
  }
  const [container] = pod.status?.containerStatuses ?? [];
  const { state = {}, lastState = {}, restartCount = 0 } = container ?? {};
  const ended = state.terminated ?? lastState.terminated;
  return {
    // Such a pod is not started for minutes, although it might join now.
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
