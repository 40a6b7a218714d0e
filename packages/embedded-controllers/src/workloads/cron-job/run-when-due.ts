import type { CronJobStatus } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import {
  findStatusCause,
  formatTime,
  isAlreadyExists,
  isControlledBy,
  objectKeyOf,
} from "@rookery/kube";
import { findObject, kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { CronJob, Job } from "../shared/objects.ts";
import { emit, type Scope, warn } from "../shared/workload-context.ts";
import { deleteJob, jobName, jobOf, referenceTo } from "./cron-jobs.ts";
import { missedTime, type Schedule, scheduleOf, secondsToNext } from "./schedule-times.ts";

interface Run {
  readonly status: CronJobStatus;
  readonly waitSeconds?: number | undefined;
  readonly failure?: unknown;
}

/** Makes a job where a time has come, as far as the jobs that run allow it. */
export async function runWhenDue(cronJob: CronJob, scope: Scope): Promise<Run> {
  const { metadata, spec, status } = cronJob;
  if (metadata.deletionTimestamp !== undefined || spec.suspend === true) return { status };
  const schedule = readSchedule(cronJob, scope);
  if (schedule === undefined) return { status };
  const now = scope.context.now().getTime();
  const waitSeconds = secondsToNext(cronJob, schedule, now);
  const { last, isMany } = missedTime(cronJob, schedule, { now, hasDeadline: true });
  if (last === undefined) return { status, waitSeconds };
  if (isMany) {
    const note =
      "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
    warn(scope, cronJob, "TooManyMissedTimes", note);
  }
  if (!(await mayStart(cronJob, last, scope))) return { status, waitSeconds };
  return { ...(await start(cronJob, last, scope)), waitSeconds };
}

function readSchedule(cronJob: CronJob, scope: Scope): Schedule | undefined {
  const { schedule = "" } = cronJob.spec;
  try {
    return scheduleOf(cronJob);
  } catch (error) {
    const note = `unparseable schedule: "${schedule}" : ${messageOf(error)}`;
    warn(scope, cronJob, "UnparseableSchedule", note);
    return undefined;
  }
}

async function mayStart(cronJob: CronJob, time: number, scope: Scope): Promise<boolean> {
  const { spec, status } = cronJob;
  const { startingDeadlineSeconds = Number.POSITIVE_INFINITY } = spec;
  const { active = [], lastScheduleTime } = status;
  if (time + startingDeadlineSeconds * 1000 < scope.context.now().getTime()) {
    const note = `Missed scheduled time to start a job: ${formatRfc1123(time)}`;
    warn(scope, cronJob, "MissSchedule", note);
    return false;
  }
  const isStarted = active.some(({ name }) => name === jobName(cronJob, time));
  if (isStarted || Date.parse(lastScheduleTime ?? "") === time) return false;
  if (spec.concurrencyPolicy !== "Forbid" || active.length === 0) return true;
  const note =
    "Not starting job because prior execution is running and concurrency policy is Forbid";
  emit(scope, cronJob, "JobAlreadyActive", note);
  return false;
}

/** As in "Mon, 16 Nov 2026 05:40:00 +0000". */
function formatRfc1123(time: number): string {
  return new Date(time).toUTCString().replace("GMT", "+0000");
}

async function start(cronJob: CronJob, time: number, scope: Scope): Promise<Run> {
  const status = await withoutReplaced(cronJob, scope);
  const job = jobOf(cronJob, time);
  try {
    const created = await writerOf(scope, kinds.jobs).create(job);
    emit(scope, cronJob, "SuccessfulCreate", `Created job ${created.metadata.name}`);
    return { status: withJob(status, created, time) };
  } catch (error) {
    if (findStatusCause(error, "NamespaceTerminating")) return { status };
    if (!isAlreadyExists(error)) {
      warn(scope, cronJob, "FailedCreate", `Error creating job: ${messageOf(error)}`);
      return { status, failure: error };
    }
    // It was made before a crash, which kept it from being noted.
    const known = findObject(scope.context.store, kinds.jobs, objectKeyOf(job));
    if (known === undefined || !isControlledBy(known, cronJob)) return { status };
    return { status: withJob(status, known, time) };
  }
}

function withJob(status: CronJobStatus, job: Job, time: number): CronJobStatus {
  const { uid } = job.metadata;
  const others = (status.active ?? []).filter((each) => each.uid !== uid);
  return {
    ...status,
    active: [...others, referenceTo(job)],
    lastScheduleTime: formatTime(new Date(time)),
  };
}

/** Where a new job takes the place of those that run, they go first. */
async function withoutReplaced(cronJob: CronJob, scope: Scope): Promise<CronJobStatus> {
  const { spec, status } = cronJob;
  if (spec.concurrencyPolicy !== "Replace") return status;
  for (const { namespace = "", name = "" } of status.active ?? []) {
    if (await deleteJob(cronJob, { metadata: { namespace, name } }, scope)) continue;
    throw new Error(`could not replace job ${namespace}/${name}`);
  }
  return { ...status, active: [] };
}
