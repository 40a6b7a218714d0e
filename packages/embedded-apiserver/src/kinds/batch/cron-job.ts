import type { CronJob } from "@rookery/api";
import { fieldPath, timeSince } from "@rookery/kube";
import { podNameWarnings } from "../apps/template-warnings.ts";
import { containerColumns, selectorColumn } from "../apps/workload-columns.ts";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { dropDisabledFields } from "../pod-spec/index.ts";
import { validateCronJob, validateCronJobUpdate } from "./cron-job-rules.ts";
import { jobTemplateDefaults } from "./job-defaults.ts";
import { jobSpecWarnings } from "./job-warnings.ts";

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
