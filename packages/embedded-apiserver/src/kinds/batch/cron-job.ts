import type { CronJob, CronJobSpec, JobTemplateSpec } from "@rookery/api";
import { cronScheduleProblem, fieldPath, timeSince, timeZoneProblem } from "@rookery/kube";
import { containerColumns, podNameWarnings, selectorColumn } from "../apps/workload-rules.ts";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { format, matches, nonNegative, oneOf } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { jobSpecWarnings, jobTemplateDefaults, jobWork } from "./job-spec.ts";

/** 14 characters a part is what the naming rules of time zones allow. */
const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Go: validateTimeZone. A time zone by its name in the database of IANA. */
export const timeZone = format((zone) => {
  if (zone === "") return ["timeZone must be nil or non-empty string"];
  if (!zone.split("/").every(isPart)) return [`unknown time zone ${zone}`];
  const local =
    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  const problem = timeZoneProblem(zone);
  return [
    ...(zone.toLowerCase() === "local" ? [local] : []),
    ...(problem === undefined ? [] : [problem]),
  ];
});

function isPart(text: string): boolean {
  return text !== "." && text !== ".." && !text.startsWith("-") && part.test(text);
}

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

const validateCronJob = validator<CronJob>([
  { spec: struct(spec) },
  ({ metadata }, field) => shortName(metadata?.name, field.child("metadata", "name")),
]);

const validateCronJobUpdate = validator<CronJob>({ spec: struct(spec) });

export const cronJobKind: BuiltInKind<CronJob> = {
  ...kindNames("batch", "CronJob", "cronjobs"),
  namespaced: true,
  shortNames: ["cj"],
  categories: ["all"],
  defaults: setDefaults,
  prepareForCreate(cronJob) {
    cronJob.status = {};
    dropDisabled(cronJob);
  },
  prepareForUpdate: dropDisabled,
  validate: validateCronJob,
  validateUpdate: validateCronJobUpdate,
  warnings: warningsOf,
  status: { prepareForUpdate: keepSpec },
  isNewGeneration: isChanged,
  columns: [
    nameColumn,
    column("Schedule", "string", ({ spec }: CronJob) => spec?.schedule ?? ""),
    column("Timezone", "string", ({ spec }: CronJob) => spec?.timeZone ?? "<none>"),
    column("Suspend", "boolean", ({ spec }: CronJob) => shownBoolean(spec?.suspend)),
    column("Active", "integer", ({ status }: CronJob) => status?.active?.length ?? 0),
    column("Last Schedule", "string", ({ status }: CronJob, now) => {
      return status?.lastScheduleTime ? timeSince(status.lastScheduleTime, now) : "<none>";
    }),
    ageColumn,
    ...containerColumns(({ spec }: CronJob) => spec?.jobTemplate?.spec?.template),
    selectorColumn(({ spec }: CronJob) => spec?.jobTemplate?.spec?.selector),
  ],
};

function shownBoolean(value: boolean | undefined): string {
  if (value === undefined) return "<unset>";
  return value ? "True" : "False";
}

function setDefaults(cronJob: CronJob): void {
  cronJob.spec ??= {};
  const { spec } = cronJob;
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  spec.jobTemplate ??= {};
  jobTemplateDefaults(spec.jobTemplate);
}

function dropDisabled({ spec }: CronJob): void {
  dropDisabledFields(spec?.jobTemplate?.spec?.template?.spec ?? {});
}

function isChanged({ spec }: CronJob, old: CronJob): boolean {
  return !isSameValue(spec, old.spec);
}

function warningsOf(cronJob: CronJob, old?: CronJob): string[] {
  const { spec = {} } = cronJob;
  const jobSpec = spec.jobTemplate?.spec ?? {};
  const path = fieldPath("spec", "jobTemplate", "spec");
  const zone =
    "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
  return [
    ...(old ? [] : podNameWarnings(cronJob)),
    ...(old && !isChanged(cronJob, old) ? [] : jobSpecWarnings(jobSpec, path)),
    ...(old && spec.schedule?.includes("TZ") ? [zone] : []),
  ];
}
