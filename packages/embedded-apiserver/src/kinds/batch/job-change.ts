import type { Job, JobSpec, PodTemplateSpec } from "@rookery/api";
import { immutable } from "../meta/checks.ts";
import type { Field } from "../meta/field.ts";
import { immutableDetail, isSameValue } from "../meta/field-rules.ts";
import type { Rule, Rules } from "../meta/rules.ts";
import { goStruct } from "../pod-spec/internal-form.ts";
import { jobSpec } from "./job-spec.ts";

/** An immutable struct that is shown as Go shows it. */
function immutableStruct(type: string): Rule<object | undefined> {
  return (value, field) => {
    if (isSameValue(value, field.old)) return;
    field.invalid(value ? goStruct(type, value) : null, immutableDetail);
  };
}

/** Go: ValidateJobSpecUpdate. The template may change while the job is suspended and has never begun. */
export const jobSpecUpdate: Rules<JobSpec, Job> = [
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

/** Those of an indexed job change together with its parallelism. */
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

/** The old template with the fields of the new one that decide where pods run. */
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
