import type {
  ContainerStatus,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from "@rookery/api";
import type { Job, Pod } from "../shared/objects.ts";
import { isPodFailed } from "./job-state.ts";

export interface FailureVerdict {
  /** Whether the failure counts towards the limit. */
  readonly counts: boolean;
  readonly action?: string;
  /** Why the whole job fails, where it does. */
  readonly failsJob?: string;
}

/** Applies the failure policy of a job to a failed pod: the first rule that matches decides. */
export function judgeFailure({ spec }: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    const { action = "" } = rule;
    if (action === "Ignore") return { counts: false, action };
    if (action === "FailIndex" || action === "Count") return { counts: true, action };
    if (action !== "FailJob") continue;
    const failsJob = `${match} matching ${action} rule at index ${index}`;
    return { counts: true, action, failsJob };
  }
  return { counts: true };
}

/** Why the job has to fail because of one of its pods. */
export function jobFailureOf(job: Job, pods: readonly Pod[]): string | undefined {
  for (const pod of pods) {
    const { failsJob } = isPodFailed(pod, job) ? judgeFailure(job, pod) : {};
    if (failsJob !== undefined) return failsJob;
  }
  return undefined;
}

/** The text of the part of a pod that a rule matches. */
function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod) {
  const { namespace, name } = pod.metadata;
  if (onExitCodes !== undefined) {
    const container = containerWith(onExitCodes, pod);
    const exitCode = container?.state?.terminated?.exitCode;
    return (
      container &&
      `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${exitCode}`
    );
  }
  const condition = pod.status.conditions?.find((each) =>
    onPodConditions?.some(({ type, status }) => each.type === type && each.status === status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function containerWith(
  { containerName, operator, values = [] }: PodFailurePolicyOnExitCodesRequirement,
  { status }: Pod,
): ContainerStatus | undefined {
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  return statuses.find(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode ?? 0;
    if (exitCode === 0 || (containerName !== undefined && containerName !== name)) return false;
    return operator === "In" ? values.includes(exitCode) : !values.includes(exitCode);
  });
}
