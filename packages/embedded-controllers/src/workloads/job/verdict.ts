import type { JobCondition } from "@rookery/api";
import { findCondition, type Job, type Pod } from "../shared/objects.ts";
import { jobFailureOf } from "./failure-policy.ts";
import { parseIndexes } from "./index-list.ts";
import type { JobDraft } from "./job-draft.ts";
import { conditionOf, isSuspended, isTrue, type Verdict } from "./job-state.ts";

/** Why a job is at its end before all of its pods have succeeded; undefined where it goes on. */
export function verdictOf(draft: JobDraft): JobCondition | undefined {
  const { job, scope } = draft;
  const now = scope.context.now();
  const { conditions } = job.status;
  if (isTrue(job, "SuccessCriteriaMet")) return findCondition(conditions, "SuccessCriteriaMet");
  const target = isTrue(job, "FailureTarget")
    ? findCondition(conditions, "FailureTarget")
    : undefined;
  if (target !== undefined) {
    const { reason = "", message = "" } = target;
    return conditionOf({ type: "Failed", reason, message }, now);
  }
  const verdict = failureOf(draft, now) ?? indexVerdict(draft);
  return verdict && conditionOf(verdict, now);
}

const failure = (reason: string, message: string): Verdict => ({
  type: "FailureTarget",
  reason,
  message,
});

function failureOf({ job, pods, failed }: JobDraft, now: Date): Verdict | undefined {
  const failsJob = jobFailureOf(job, pods);
  if (failsJob !== undefined) return failure("PodFailurePolicy", failsJob);
  if (failed > (job.spec.backoffLimit ?? 6) || hasTooManyRestarts(job, pods)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (secondsToDeadline(job, now) <= 0) {
    return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  }
  return undefined;
}

/** Until the job has been active for too long; no number where it may take any time. */
export function secondsToDeadline(job: Job, now: Date): number {
  const { activeDeadlineSeconds } = job.spec;
  const { startTime } = job.status;
  const isCounting = activeDeadlineSeconds !== undefined && startTime !== undefined;
  if (!isCounting || isSuspended(job)) return Number.POSITIVE_INFINITY;
  return activeDeadlineSeconds - (now.getTime() - Date.parse(startTime)) / 1000;
}

/** Where containers are restarted in their pods, restarts are what counts. */
function hasTooManyRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template?.spec?.restartPolicy !== "OnFailure") return false;
  const running = pods.filter(({ status }) => ["Running", "Pending"].includes(status.phase ?? ""));
  const statuses = running.flatMap(({ status }) => [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
  ]);
  const restarts = statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const { backoffLimit = 6 } = spec;
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

function indexVerdict({ job, indexes }: JobDraft): Verdict | undefined {
  if (indexes === undefined) return undefined;
  const { failed, succeeded } = indexes;
  const { maxFailedIndexes, completions = 0 } = job.spec;
  if (failed !== undefined && failed.size > (maxFailedIndexes ?? Infinity)) {
    const message = "Job has exceeded the specified maximal number of failed indexes";
    return failure("MaxFailedIndexesExceeded", message);
  }
  if (failed !== undefined && failed.size > 0 && failed.size + succeeded.size >= completions) {
    return failure("FailedIndexes", "Job has failed indexes");
  }
  const message = successOf(job, succeeded);
  return message === undefined
    ? undefined
    : { type: "SuccessCriteriaMet", reason: "SuccessPolicy", message };
}

export const completionsReached: Verdict = {
  type: "SuccessCriteriaMet",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/** Which rule says that enough indexes have succeeded, in Kubernetes' words. */
export function successOf({ spec }: Job, succeeded: ReadonlySet<number>): string | undefined {
  if (succeeded.size === 0) return undefined;
  const index = (spec.successPolicy?.rules ?? []).findIndex((rule) => {
    const { succeededIndexes, succeededCount } = rule;
    if (succeededIndexes === undefined) return succeeded.size >= (succeededCount ?? Infinity);
    const required = parseIndexes(succeededIndexes, spec.completions ?? 0);
    const reached = [...required].filter((each) => succeeded.has(each)).length;
    if (required.size === 0) return false;
    return reached === required.size || reached >= (succeededCount ?? Infinity);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
