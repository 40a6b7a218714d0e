import type { CronJobStatus } from "@rookery/api";
import { isFinished, isTrue } from "../job/job-state.ts";
import { findObject, kinds } from "../shared/kinds.ts";
import type { CronJob, Job } from "../shared/objects.ts";
import { type Scope, tell, warn } from "../shared/workload-context.ts";

/** The status with the jobs that still run, and with when one last succeeded. */
export function syncActive(cronJob: CronJob, jobs: readonly Job[], scope: Scope): CronJobStatus {
  const active = (cronJob.status.active ?? []).filter((reference) => {
    const job = jobs.find(({ metadata }) => metadata.uid === reference.uid);
    if (job === undefined) return !isMissing(cronJob, reference, scope);
    if (!isFinished(job)) return true;
    const condition = isTrue(job, "Complete") ? "Complete" : "Failed";
    const note = `Saw completed job: ${job.metadata.name}, condition: ${condition}`;
    tell(scope, cronJob, "SawCompletedJob", note);
    return false;
  });
  for (const job of jobs) {
    const isKnown = active.some(({ uid }) => uid === job.metadata.uid);
    if (isKnown || isFinished(job)) continue;
    const note = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
    warn(scope, cronJob, "UnexpectedJob", note);
  }
  return { ...cronJob.status, active, ...lastSuccess(cronJob, jobs) };
}

function isMissing(
  cronJob: CronJob,
  { namespace = "", name = "" }: { namespace?: string; name?: string },
  scope: Scope,
): boolean {
  if (findObject(scope.context.store, kinds.jobs, { namespace, name }) !== undefined) return false;
  tell(scope, cronJob, "MissingJob", `Active job went missing: ${name}`);
  return true;
}

function lastSuccess({ status }: CronJob, jobs: readonly Job[]) {
  const times = jobs.flatMap((job) =>
    isTrue(job, "Complete") ? (job.status.completionTime ?? []) : [],
  );
  const latest = [...times, ...(status.lastSuccessfulTime ? [status.lastSuccessfulTime] : [])]
    .toSorted()
    .at(-1);
  return latest === undefined ? {} : { lastSuccessfulTime: latest };
}
