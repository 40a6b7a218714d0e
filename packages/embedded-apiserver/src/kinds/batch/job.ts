import type { Job, JobSpec, PodTemplateSpec } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import { humanDuration, validateDns1123Label } from "@rookery/kube";
import { ifChanged, workloadColumns } from "../apps/workload.ts";
import { type BuiltInKind, isSpecChanged, keepSpec, kindNames } from "../declaration/kind.ts";
import { immutable, immutableStruct } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { immutableDetail, isSameValue } from "../meta/field-rules.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rules, ruleOf, validator, warner } from "../meta/rules.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { podNameWarning } from "../pod-spec/warnings.ts";
import {
  generatedSelector,
  generateSelector,
  manageTemplateLabels,
  takeTemplateLabels,
} from "./generated-selector.ts";
import { jobSpec, jobSpecDefaults, jobSpecWarnings } from "./job-spec.ts";
import { validateJobStatus } from "./job-status.ts";

/** Go: ValidateJobSpecUpdate. The template of a suspended job can change before it starts. */
const jobSpecUpdate: Rules<JobSpec, Job> = [
  jobSpec,
  completionsChange,
  { selector: immutable, template: templateChange },
  {
    completionMode: immutable,
    podFailurePolicy: immutableStruct("PodFailurePolicy"),
    backoffLimitPerIndex: immutable,
    managedBy: immutable,
    successPolicy: immutableStruct("SuccessPolicy"),
  },
];

/** The completions of an indexed job change together with its parallelism. */
function completionsChange(spec: JobSpec, field: Field): void {
  const { completions, parallelism } = spec;
  const at = field.child("completions");
  const isKept = completions === at.old || completions === undefined;
  if (spec.completionMode !== "Indexed") immutable(completions, at);
  else if (!isKept && completions !== parallelism) {
    at.invalid(completions, "can only be modified in tandem with spec.parallelism");
  }
}

function templateChange(template: PodTemplateSpec = {}, field: Field<Job>): void {
  const { spec, status } = field.scope;
  const old = spec?.template ?? {};
  const hasNotBegun = spec?.suspend === true && !status?.startTime;
  const compared = hasNotBegun ? withSchedulingOf(old, template) : old;
  if (isSameValue(template, compared)) return;
  field.invalid(goStruct("PodTemplateSpec", template), immutableDetail);
}

/** The old template with the scheduling fields of the new one. */
function withSchedulingOf(old: PodTemplateSpec, template: PodTemplateSpec): object {
  const { nodeSelector, tolerations, schedulingGates } = template.spec ?? {};
  const { annotations, labels } = template.metadata ?? {};
  const affinity = affinityOf(old, template);
  return {
    ...old,
    metadata: { ...old.metadata, annotations, labels },
    spec: { ...old.spec, affinity, nodeSelector, tolerations, schedulingGates },
  };
}

/** The old affinity with the new node affinity; an affinity that only has that can be removed. */
function affinityOf(old: PodTemplateSpec, template: PodTemplateSpec): object | undefined {
  const { affinity } = template.spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...rest } = old.spec?.affinity ?? {};
  if (affinity === undefined && isSameValue(rest, {})) return undefined;
  return { ...rest, nodeAffinity: affinity?.nodeAffinity };
}

const jobColumns: readonly TableColumn[] = [
  nameColumn,
  ...columns<Job>({ Status: statusOf, Completions: completionsOf, Duration: durationOf }),
  ageColumn,
  ...workloadColumns(({ spec }: Job) => spec),
];

/** The first condition that is true. */
function statusOf(job: Job): string {
  const { metadata, status } = job;
  const has = (type: string) =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (metadata?.deletionTimestamp) return "Terminating";
  const others = ["Suspended", "FailureTarget", "SuccessCriteriaMet"];
  return others.find(has) ?? "Running";
}

function completionsOf({ spec = {}, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = spec;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status = {} }: Job, now: Date): string {
  const { startTime, completionTime } = status;
  if (!startTime) return "";
  const end = completionTime ? Date.parse(completionTime) : now.getTime();
  return humanDuration(end - Date.parse(startTime));
}

const specUpdate = ruleOf<JobSpec, Job>(jobSpecUpdate);
const jobRules: Rules<Job> = [generatedSelector, { spec: struct(jobSpec) }, hostnames];

export const jobKind: BuiltInKind<Job> = {
  ...kindNames("batch", "Job", "jobs"),
  namespaced: true,
  categories: ["all"],
  defaults(job) {
    job.spec ??= {};
    jobSpecDefaults(job.spec);
  },
  prepareForCreate(job) {
    manageTemplateLabels(job);
    generateSelector(job);
    takeTemplateLabels(job);
    job.status = {};
    dropDisabledFields(job.spec?.template?.spec);
  },
  prepareForUpdate(job) {
    takeTemplateLabels(job);
    dropDisabledFields(job.spec?.template?.spec);
  },
  validate: validator(jobRules),
  validateUpdate: validator<Job>([
    jobRules,
    ({ spec = {} }, field) => specUpdate(spec, field.child("spec").withScope(field.old as Job)),
  ]),
  warnings: warner<Job>([podNameWarning, ifChanged<Job>(isSpecChanged, { spec: jobSpecWarnings })]),
  status: {
    prepareForUpdate(job, old) {
      keepSpec(job, old);
      takeTemplateLabels(job);
    },
    validateUpdate: validateJobStatus,
  },
  isNewGeneration: isSpecChanged,
  selectableFields: { "status.successful": ({ status }) => String(status?.succeeded ?? 0) },
  columns: jobColumns,
  defaultPropagation: "Orphan",
};

/** Go: ValidateIndexedJob. Hostnames of pods of an indexed job end with the index. */
function hostnames({ metadata, spec = {} }: Job, field: Field): void {
  const { completionMode, completions = 0 } = spec;
  const name = metadata?.name ?? "";
  const hostname = `${name}-${completions - 1}`;
  const isNamed = completionMode === "Indexed" && completions > 0;
  if (!isNamed || validateDns1123Label(hostname).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  field.child("metadata", "name").invalid(name, detail);
}
