import type { CronJob, CronJobSpec, JobTemplateSpec } from "@rookery/api";
import { cronScheduleProblem } from "@rookery/kube";
import { matches, nonNegative, oneOf } from "../meta/checks.ts";
import { required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { jobWork } from "./job-spec.ts";
import { timeZone } from "./time-zone.ts";

const maxNameBytes = 52;

/** Names of jobs are made of the name and a time, which need room. */
const shortName = matches(
  (name) => Buffer.byteLength(name) <= maxNameBytes,
  `must be no more than ${maxNameBytes} characters`,
);

/** A time zone within the schedule is refused, unless the old one has one too. */
function schedule({ schedule = "", timeZone }: CronJobSpec, field: Field): void {
  const at = field.child("schedule");
  const problem = schedule === "" ? undefined : cronScheduleProblem(schedule);
  const hadZone = String(at.old ?? "").includes("TZ");
  if (schedule === "") at.required();
  if (problem !== undefined) at.invalid(schedule, problem);
  if (!schedule.includes("TZ")) return;
  if (!hadZone) {
    at.invalid(schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (timeZone !== undefined) {
    at.invalid(schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

/** Updates validate a zone only where it changes. */
const changedZone: Rule<string | undefined> = (zone, field) => {
  if (zone !== undefined && zone !== field.old) timeZone(zone, field);
};

/** Go: ValidateJobTemplateSpec. */
const jobTemplate: Rules<JobTemplateSpec> = {
  spec: struct([
    jobWork,
    ({ selector, manualSelector }, field) => {
      if (selector) {
        field.child("selector").invalid(selector, "`selector` will be auto-generated");
      }
      if (manualSelector) {
        field.child("manualSelector").notSupported(manualSelector, ["nil", "false"]);
      }
    },
  ]),
};

/** Go: validateCronJobSpec. */
const spec: Rules<CronJobSpec> = [
  schedule,
  {
    startingDeadlineSeconds: nonNegative,
    timeZone: changedZone,
    concurrencyPolicy: required(oneOf("Allow", "Forbid", "Replace")),
    jobTemplate: struct(jobTemplate),
    successfulJobsHistoryLimit: nonNegative,
    failedJobsHistoryLimit: nonNegative,
  },
];

export const validateCronJob = validator<CronJob>([
  { spec: struct(spec) },
  ({ metadata }, field) => shortName(metadata?.name, field.child("metadata", "name")),
]);

export const validateCronJobUpdate = validator<CronJob>({ spec: struct(spec) });
