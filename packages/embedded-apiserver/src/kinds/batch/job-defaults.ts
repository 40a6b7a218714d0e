import type { JobSpec, JobTemplateSpec } from "@rookery/api";
import { podTemplateDefaults } from "../pod-spec/index.ts";

const maxInt32 = 2 ** 31 - 1;

/** What the spec of a job leaves out. */
export function jobSpecDefaults(spec: JobSpec): void {
  if (spec.parallelism === undefined && spec.completions === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
  templateDefaults(spec);
}

/** What the template of a job in a CronJob leaves out: the rest comes with each job. */
export function jobTemplateDefaults(template: JobTemplateSpec): void {
  template.spec ??= {};
  templateDefaults(template.spec);
}

function templateDefaults(spec: JobSpec): void {
  spec.template ??= {};
  podTemplateDefaults(spec.template);
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions ?? []) pattern.status ||= "True";
  }
}
