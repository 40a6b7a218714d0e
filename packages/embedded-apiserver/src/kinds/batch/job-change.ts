import type { Job, JobSpec, PodTemplateSpec } from "@rookery/api";
import { FieldError, type FieldPath, fieldPath } from "@rookery/kube";
import { immutableDetail, isSameValue, validateImmutable } from "../meta/field-rules.ts";
import { shownPodTemplate } from "../pod-spec/internal-form.ts";
import { validateJobSpec } from "./job-spec.ts";
import { shownFailurePolicy, shownSuccessPolicy } from "./shown-policies.ts";

const path = fieldPath("spec");

/** What of a job may change: not its work, unless it is suspended and has never begun. */
export function validateJobChange(job: Job, old: Job): FieldError[] {
  const { spec = {} } = job;
  const { spec: oldSpec = {} } = old;
  const fixed = (field: keyof JobSpec, shown: unknown = spec[field]) =>
    isSameValue(spec[field], oldSpec[field])
      ? []
      : [FieldError.invalid(path.child(field), shown ?? null, immutableDetail)];
  const { podFailurePolicy, successPolicy } = spec;
  return [
    ...validateJobSpec(spec, path),
    ...validateCompletions(spec, oldSpec),
    ...fixed("selector"),
    ...validateTemplateChange(job, old, path.child("template")),
    ...fixed("completionMode"),
    ...fixed("podFailurePolicy", podFailurePolicy && shownFailurePolicy(podFailurePolicy)),
    ...fixed("backoffLimitPerIndex"),
    ...fixed("managedBy"),
    ...fixed("successPolicy", successPolicy && shownSuccessPolicy(successPolicy)),
  ];
}

/** Those of an indexed job change together with its parallelism. */
function validateCompletions(spec: JobSpec, old: JobSpec): FieldError[] {
  const { completions, parallelism } = spec;
  const at = path.child("completions");
  if (spec.completionMode !== "Indexed") {
    return validateImmutable(completions, old.completions, at);
  }
  const isKept = completions === old.completions || completions === undefined;
  if (isKept || completions === parallelism) return [];
  const detail = "can only be modified in tandem with spec.parallelism";
  return [FieldError.invalid(at, completions, detail)];
}

function validateTemplateChange(job: Job, old: Job, at: FieldPath): FieldError[] {
  const template = job.spec?.template ?? {};
  const oldTemplate = old.spec?.template ?? {};
  const hasNotBegun = old.spec?.suspend === true && !old.status?.startTime;
  const compared = hasNotBegun ? withSchedulingOf(oldTemplate, template) : oldTemplate;
  if (isSameValue(template, compared)) return [];
  return [FieldError.invalid(at, shownPodTemplate(template), immutableDetail)];
}

/** The old template with all of the new one that says where pods run. */
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

/** Of the affinity, that to nodes may change; where nothing is left of it, all of it may go. */
function affinityOf(old: PodTemplateSpec, template: PodTemplateSpec): object | undefined {
  const { affinity } = template.spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...rest } = old.spec?.affinity ?? {};
  if (affinity === undefined && isSameValue(rest, {})) return undefined;
  return { ...rest, nodeAffinity: affinity?.nodeAffinity };
}
