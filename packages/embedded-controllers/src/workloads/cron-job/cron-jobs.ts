import type { ObjectReference } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import { controllerReferenceTo, formatTime, isNotFound } from "@rookery/kube";
import { kinds } from "../shared/kinds.ts";
import type { CronJob, Job } from "../shared/objects.ts";
import { emit, type Scope, warn } from "../shared/workload-context.ts";
import { formatZoned } from "./zoned-time.ts";

export function jobName({ metadata }: CronJob, time: number): string {
  return `${metadata.name}-${Math.floor(time / 60_000)}`;
}

/** The job of a scheduled time. */
export function jobOf(cronJob: CronJob, time: number): Omit<Job, "status"> {
  const { metadata, spec = {} } = cronJob.spec.jobTemplate ?? {};
  const { labels, annotations } = metadata ?? {};
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: jobName(cronJob, time),
      namespace: cronJob.metadata.namespace ?? "",
      ...(labels && { labels }),
      annotations: {
        ...annotations,
        "batch.kubernetes.io/cronjob-scheduled-timestamp": formatZoned(
          time,
          cronJob.spec.timeZone ?? "UTC",
        ),
      },
      creationTimestamp: formatTime(new Date(time)),
      ownerReferences: [controllerReferenceTo(cronJob)],
    },
    spec,
  };
}

export function referenceTo({ metadata }: Job): ObjectReference {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  return { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion };
}

/** Deletes a job with its pods. Whether it did. */
export async function deleteJob(
  cronJob: CronJob,
  { metadata: { namespace = "", name = "" } }: Pick<Job, "metadata">,
  scope: Scope,
): Promise<boolean> {
  const { context, signal } = scope;
  const options = { propagationPolicy: "Background", signal } as const;
  try {
    await context.client.resource(kinds.jobs.resource).delete({ namespace, name }, options);
    emit(scope, cronJob, "SuccessfulDelete", `Deleted job ${name}`);
    return true;
  } catch (error) {
    if (!isNotFound(error))
      warn(scope, cronJob, "FailedDelete", `Deleted job: ${messageOf(error)}`);
    return false;
  }
}

/** Finished jobs that are more than the history keeps, the oldest first. */
export function pastJobs({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const ended = (type: string) =>
    jobs
      .filter(({ status }) =>
        status.conditions?.some((each) => each.type === type && each.status === "True"),
      )
      .toSorted(compareStarts);
  const beyond = (finished: Job[], limit: number | undefined) =>
    limit === undefined ? [] : finished.slice(0, Math.max(0, finished.length - limit));
  return [
    ...beyond(ended("Complete"), spec.successfulJobsHistoryLimit),
    ...beyond(ended("Failed"), spec.failedJobsHistoryLimit),
  ];
}

function compareStarts(a: Job, b: Job): number {
  const startOf = ({ status }: Job) => Date.parse(status.startTime ?? "") || Infinity;
  const [first, second] = [startOf(a), startOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}
