import type { Job, JobSpec } from "@rookery/api";
import { fieldPath, validateDns1123Label } from "@rookery/kube";
import { podNameWarnings } from "../apps/template-warnings.ts";
import type { BuiltInKind } from "../declaration/kind.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";
import { dropDisabledFields } from "../pod-spec/index.ts";
import { generatedSelector, generateSelector } from "./generated-selector.ts";
import { jobSpecUpdate } from "./job-change.ts";
import { jobColumns } from "./job-columns.ts";
import { jobSpecDefaults } from "./job-defaults.ts";
import { jobSpec } from "./job-spec.ts";
import { validateJobStatus } from "./job-status.ts";
import { jobSpecWarnings } from "./job-warnings.ts";
import { manageTemplateLabels, takeTemplateLabels } from "./template-labels.ts";

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
    dropDisabledFields(job.spec?.template?.spec ?? {});
  },
  prepareForUpdate(job) {
    takeTemplateLabels(job);
    dropDisabledFields(job.spec?.template?.spec ?? {});
  },
  validate: validator(jobRules),
  validateUpdate: validator<Job>([
    jobRules,
    ({ spec = {} }, field) => specUpdate(spec, field.child("spec").withScope(field.old as Job)),
  ]),
  warnings: (job, old) => [
    ...(old ? [] : podNameWarnings(job)),
    ...(old && !isChanged(job, old) ? [] : jobSpecWarnings(job.spec ?? {}, fieldPath("spec"))),
  ],
  status: {
    prepareForUpdate(job, old) {
      keepSpec(job, old);
      takeTemplateLabels(job);
    },
    validateUpdate: validateJobStatus,
  },
  isNewGeneration: isChanged,
  selectableFields: { "status.successful": ({ status }) => String(status?.succeeded ?? 0) },
  columns: jobColumns,
  defaultPropagation: "Orphan",
};

function isChanged({ spec }: Job, old: Job): boolean {
  return !isSameValue(spec, old.spec);
}

/** Go: ValidateIndexedJob. Pods of an indexed job have a hostname that ends with their index. */
function hostnames({ metadata, spec = {} }: Job, field: Field): void {
  const { completionMode, completions = 0 } = spec;
  const name = metadata?.name ?? "";
  const hostname = `${name}-${completions - 1}`;
  const isNamed = completionMode === "Indexed" && completions > 0;
  if (!isNamed || validateDns1123Label(hostname).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  field.child("metadata", "name").invalid(name, detail);
}
