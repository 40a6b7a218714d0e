import type { Job, JobStatus } from "@rookery/api";
import { isSameValue } from "../meta/field-rules.ts";

/** A change of a job's status, as its rules look at it. */
export interface JobStatusChange {
  readonly job: Job;
  readonly old: Job;
  readonly status: JobStatus;
  readonly oldStatus: JobStatus;
  /** Whether a condition of the type is there and true. */
  has(type: string): boolean;
  had(type: string): boolean;
  /** Whether a condition has become true, or has ceased to be. */
  isNew(type: string): boolean;
  isChanged(field: keyof JobStatus): boolean;
  readonly isFinished: boolean;
  /** Whether it has finished with this change, or is not finished any more. */
  readonly hasJustFinished: boolean;
}

export function statusChangeOf(job: Job, old: Job): JobStatusChange {
  const { status = {} } = job;
  const { status: oldStatus = {} } = old;
  const has = (type: string) => hasCondition(status, type);
  const had = (type: string) => hasCondition(oldStatus, type);
  const isFinished = has("Complete") || has("Failed");
  return {
    job,
    old,
    status,
    oldStatus,
    has,
    had,
    isNew: (type) => has(type) !== had(type),
    isChanged: (field) => !isSameValue(status[field] || undefined, oldStatus[field] || undefined),
    isFinished,
    hasJustFinished: isFinished !== (had("Complete") || had("Failed")),
  };
}

/** Whether a status says of a condition that it is so, or the contrary. */
export function hasCondition(
  { conditions = [] }: JobStatus,
  type: string,
  value: "True" | "False" = "True",
): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === value);
}
