import type { CronJobSpec, JobTemplateSpec } from "@rookery/api";
import { cronScheduleProblem, FieldError, type FieldPath, fieldPath } from "@rookery/kube";
import { validateChoice, validateNonnegative } from "../meta/field-rules.ts";
import { validateJobWork } from "./job-spec.ts";
import { validateTimeZone } from "./time-zone.ts";

const maxNameBytes = 52;

/** Names of jobs are made of the name and a time, which need room. */
export function validateCronJobName(name: string): FieldError[] {
  if (Buffer.byteLength(name) <= maxNameBytes) return [];
  const detail = `must be no more than ${maxNameBytes} characters`;
  return [FieldError.invalid(fieldPath("metadata", "name"), name, detail)];
}

export function validateCronJobSpec(spec: CronJobSpec, old?: CronJobSpec): FieldError[] {
  const path = fieldPath("spec");
  const counted = (
    field: "startingDeadlineSeconds" | "successfulJobsHistoryLimit" | "failedJobsHistoryLimit",
  ) => validateNonnegative(spec[field] ?? 0, path.child(field));
  const isSameZone = old !== undefined && old.timeZone === spec.timeZone;
  const policies = ["Allow", "Forbid", "Replace"];
  return [
    ...validateSchedule(spec, old, path.child("schedule")),
    ...counted("startingDeadlineSeconds"),
    ...(isSameZone ? [] : validateTimeZone(spec.timeZone, path.child("timeZone"))),
    ...validateChoice(spec.concurrencyPolicy, policies, path.child("concurrencyPolicy")),
    ...validateJobTemplate(spec.jobTemplate ?? {}, path.child("jobTemplate")),
    ...counted("successfulJobsHistoryLimit"),
    ...counted("failedJobsHistoryLimit"),
  ];
}

/** A time zone within the schedule is refused, unless it has been there before that was so. */
function validateSchedule(
  { schedule = "", timeZone }: CronJobSpec,
  old: CronJobSpec | undefined,
  path: FieldPath,
): FieldError[] {
  if (schedule === "") return [FieldError.required(path, "")];
  const refused = (detail: string) => [FieldError.invalid(path, schedule, detail)];
  const problem = cronScheduleProblem(schedule);
  const hasZone = schedule.includes("TZ");
  const hadZone = old?.schedule?.includes("TZ") ?? false;
  const both = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
  const never = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
  return [
    ...(problem === undefined ? [] : refused(problem)),
    ...(hasZone && hadZone && timeZone !== undefined ? refused(both) : []),
    ...(hasZone && !hadZone ? refused(never) : []),
  ];
}

function validateJobTemplate({ spec = {} }: JobTemplateSpec, path: FieldPath): FieldError[] {
  const at = path.child("spec");
  const { selector, manualSelector } = spec;
  const generated = "`selector` will be auto-generated";
  return [
    ...validateJobWork(spec, at),
    ...(selector ? [FieldError.invalid(at.child("selector"), selector, generated)] : []),
    ...(manualSelector
      ? [FieldError.notSupported(at.child("manualSelector"), manualSelector, ["nil", "false"])]
      : []),
  ];
}
