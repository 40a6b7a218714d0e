import type { Job } from "@rookery/api";
import { FieldError, fieldPath, validateDns1123Label } from "@rookery/kube";
import { podNameWarnings } from "../apps/template-warnings.ts";
import type { BuiltInKind } from "../declaration/kind.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { dropDisabledFields } from "../pod-spec/index.ts";
import { generateSelector, validateGeneratedSelector } from "./generated-selector.ts";
import { validateJobChange } from "./job-change.ts";
import { jobColumns } from "./job-columns.ts";
import { jobSpecDefaults } from "./job-defaults.ts";
import { validateJobSpec } from "./job-spec.ts";
import { validateJobStatus } from "./job-status.ts";
import { jobSpecWarnings } from "./job-warnings.ts";
import { manageTemplateLabels, takeTemplateLabels } from "./template-labels.ts";

export const jobKind: BuiltInKind<Job> = {
  group: "batch",
  version: "v1",
  kind: "Job",
  plural: "jobs",
  singular: "job",
  namespaced: true,
  categories: ["all"],
  goType: "k8s.io/api/batch/v1.Job",
  model: "io.k8s.api.batch.v1.Job",
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
  validate: validateJob,
  validateUpdate: (job, old) => [...validateJob(job), ...validateJobChange(job, old)],
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

function validateJob(job: Job): FieldError[] {
  return [
    ...validateGeneratedSelector(job),
    ...validateJobSpec(job.spec ?? {}, fieldPath("spec")),
    ...validateHostnames(job),
  ];
}

/** Pods of an indexed job have a hostname that ends with their index. */
function validateHostnames({ metadata, spec = {} }: Job): FieldError[] {
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== "Indexed" || completions <= 0) return [];
  const name = metadata?.name ?? "";
  const hostname = `${name}-${completions - 1}`;
  if (validateDns1123Label(hostname).length === 0) return [];
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  return [FieldError.invalid(fieldPath("metadata", "name"), name, detail)];
}
