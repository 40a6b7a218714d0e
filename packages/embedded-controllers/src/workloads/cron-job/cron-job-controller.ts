import type { CronJobStatus } from "@rookery/api";
import { isControlledBy } from "@rookery/kube";
import { type Controller, done, type Result, requeueAfter, type Source } from "@rookery/runtime";
import { isFinished, isTrue } from "../job/job-state.ts";
import { complete, findObject, kinds, listObjects } from "../shared/kinds.ts";
import { writeStatus } from "../shared/object-writer.ts";
import type { CronJob, Job } from "../shared/objects.ts";
import { emit, type Scope, type WorkloadContext, warn } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";
import { deleteJob, pastJobs } from "./cron-jobs.ts";
import { runWhenDue } from "./run-when-due.ts";
import { scheduleOf, secondsToNext } from "./schedule-times.ts";

/** Makes jobs at the times of a schedule. */
export function createCronJobController(context: WorkloadContext): Controller {
  return createWorkloadController(context, {
    name: "cronjob-controller",
    kind: kinds.cronJobs,
    source: cronJobsSource(context),
    dependents: [kinds.jobs],
    reconcile,
  });
}

/** After a change of the schedule it waits for the next time, and does not catch up. */
function cronJobsSource({ store, now }: WorkloadContext): Source {
  const { stored } = kinds.cronJobs;
  return {
    name: stored,
    start(queue, signal) {
      const { entries, revision } = store.list(stored);
      for (const { namespace, name } of entries) queue.add({ namespace, name });
      const subscription = store.watch(stored, revision, ({ entry, previous }) => {
        if (entry === undefined) return;
        const { namespace, name } = entry;
        const wait =
          previous && waitAfterChange(entry.object as CronJob, previous.object as CronJob, now());
        if (wait === undefined) queue.add({ namespace, name });
        else queue.addAfter({ namespace, name }, wait * 1000);
      });
      signal.addEventListener("abort", () => subscription.close(), { once: true });
    },
  };
}

function waitAfterChange(cronJob: CronJob, old: CronJob, now: Date): number | undefined {
  const isSame =
    cronJob.spec.schedule === old.spec.schedule && cronJob.spec.timeZone === old.spec.timeZone;
  if (isSame) return undefined;
  try {
    return secondsToNext(complete(cronJob), scheduleOf(cronJob), now.getTime());
  } catch {
    // The reconcile says what is wrong with it.
    return undefined;
  }
}

async function reconcile(cronJob: CronJob, scope: Scope): Promise<Result> {
  const { store } = scope.context;
  const all = listObjects(store, kinds.jobs, cronJob.metadata.namespace ?? "");
  const jobs = all.filter((job) => isControlledBy(job, cronJob));
  const past = new Set<Job>();
  for (const job of pastJobs(cronJob, jobs)) {
    if (await deleteJob(cronJob, job, scope)) past.add(job);
  }
  const left = jobs.filter((job) => !past.has(job));
  const status = syncActive(cronJob, left, scope);
  const run = await runWhenDue({ ...cronJob, status }, scope);
  await writeStatus(cronJob, { kind: kinds.cronJobs, status: run.status }, scope);
  if (run.failure !== undefined) throw run.failure;
  return run.waitSeconds === undefined ? done : requeueAfter(run.waitSeconds);
}

/** The status with the jobs that still run, and with when one last succeeded. */
function syncActive(cronJob: CronJob, jobs: readonly Job[], scope: Scope): CronJobStatus {
  const active = (cronJob.status.active ?? []).filter((reference) => {
    const job = jobs.find(({ metadata }) => metadata.uid === reference.uid);
    if (job === undefined) return !isMissing(cronJob, reference, scope);
    if (!isFinished(job)) return true;
    const condition = isTrue(job, "Complete") ? "Complete" : "Failed";
    const note = `Saw completed job: ${job.metadata.name}, condition: ${condition}`;
    emit(scope, cronJob, "SawCompletedJob", note);
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
  emit(scope, cronJob, "MissingJob", `Active job went missing: ${name}`);
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
