import type { CronJob, CronJobSpec, JobTemplateSpec } from "@rookery/api";
import { cronScheduleProblem, timeSince, timeZoneProblem } from "@rookery/kube";
import { ifChanged, workloadColumns } from "../apps/workload.ts";
import { type BuiltInKind, isSpecChanged, keepSpec, kindNames } from "../declaration/kind.ts";
import { format, matches, nonNegative, oneOf } from "../meta/checks.ts";
import { ageColumn, column, columns, nameColumn } from "../meta/columns.ts";
import { required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, validator, warner } from "../meta/rules.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { podNameWarning } from "../pod-spec/warnings.ts";
import { jobSpecWarnings, jobTemplateDefaults, jobWork } from "./job-spec.ts";

/** The naming rules of time zones allow 14 characters a part. */
const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Go: validateTimeZone. A name of the IANA time zone database. */
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

/** Names of jobs consist of the name and a time. */
const shortName = matches(
  (name) => Buffer.byteLength(name) <= maxNameBytes,
  `must be no more than ${maxNameBytes} characters`,
);

/** A time zone in the schedule is only accepted if the stored schedule has one. */
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

/** Updates only validate a changed time zone. */
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

export const cronJobKind: BuiltInKind<CronJob> = {
  ...kindNames("batch", "CronJob", "cronjobs"),
  namespaced: true,
  shortNames: ["cj"],
  categories: ["all"],
  defaults(cronJob) {
    cronJob.spec ??= {};
    const { spec } = cronJob;
    spec.concurrencyPolicy ||= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    spec.jobTemplate ??= {};
    jobTemplateDefaults(spec.jobTemplate);
  },
  prepareForCreate(cronJob) {
    cronJob.status = {};
    dropDisabled(cronJob);
  },
  prepareForUpdate: dropDisabled,
  validate: validator<CronJob>([{ spec: struct(spec) }, { metadata: { name: shortName } }]),
  validateUpdate: validator<CronJob>({ spec: struct(spec) }),
  warnings: warner<CronJob>([
    podNameWarning,
    ifChanged<CronJob>(isSpecChanged, { spec: { jobTemplate: { spec: jobSpecWarnings } } }),
    zoneWarning,
  ]),
  status: { prepareForUpdate: keepSpec },
  isNewGeneration: isSpecChanged,
  columns: [
    nameColumn,
    ...columns<CronJob>({
      Schedule: ({ spec }) => spec?.schedule ?? "",
      Timezone: ({ spec }) => spec?.timeZone ?? "<none>",
    }),
    column("Suspend", "boolean", ({ spec }: CronJob) => formatBoolean(spec?.suspend)),
    column("Active", "integer", ({ status }: CronJob) => status?.active?.length ?? 0),
    ...columns<CronJob>({
      "Last Schedule": ({ status }, now) =>
        status?.lastScheduleTime ? timeSince(status.lastScheduleTime, now) : "<none>",
    }),
    ageColumn,
    ...workloadColumns(({ spec }: CronJob) => spec?.jobTemplate?.spec),
  ],
};

function formatBoolean(value: boolean | undefined): string {
  if (value === undefined) return "<unset>";
  return value ? "True" : "False";
}

function dropDisabled({ spec }: CronJob): void {
  dropDisabledFields(spec?.jobTemplate?.spec?.template?.spec);
}

/** A time zone in the schedule is only valid if the stored schedule has one. */
function zoneWarning({ spec }: CronJob, field: Field): void {
  if (field.old === undefined || !spec?.schedule?.includes("TZ")) return;
  field.warnPlainly(
    "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
  );
}
