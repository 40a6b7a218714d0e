import type { JobSpec } from "@rookery/api";
import { compileSelector, FieldError, type FieldPath, quote } from "@rookery/kube";
import { validateNonnegative, validateSupported } from "../meta/field-rules.ts";
import { validateSelector } from "../meta/label-selectors.ts";
import { validatePodTemplate } from "../pod-spec/index.ts";
import { validateCompletionMode } from "./completion-mode.ts";
import { validateManagedBy } from "./managed-by.ts";
import { validatePodFailurePolicy } from "./pod-failure-policy.ts";
import { shownSuccessPolicy } from "./shown-policies.ts";
import { validateSuccessPolicy } from "./success-policy.ts";

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;

/** The spec of a job, which has a selector, its own or a generated one. */
export function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const { selector, template } = spec;
  const labels = template?.metadata?.labels;
  const compiled = compileSelector(selector);
  const isForeign = compiled !== undefined && !compiled.matches(labels ?? {});
  const foreign = "`selector` does not match template `labels`";
  const labelsPath = path.child("template", "metadata", "labels");
  return [
    ...validateJobWork(spec, path),
    ...(selector === undefined
      ? [FieldError.required(path.child("selector"), "")]
      : validateSelector(selector, path.child("selector"))),
    ...(isForeign ? [FieldError.invalid(labelsPath, labels ?? null, foreign)] : []),
  ];
}

/** All but the selector: what a job does, also one that is not there yet. */
export function validateJobWork(spec: JobSpec, path: FieldPath): FieldError[] {
  return [
    ...counts.flatMap((field) => {
      const value = spec[field];
      return value === undefined ? [] : validateNonnegative(value, path.child(field));
    }),
    ...validateFailedIndexes(spec, path),
    ...(spec.managedBy === undefined
      ? []
      : validateManagedBy(spec.managedBy, path.child("managedBy"))),
    ...validateCompletionMode(spec, path),
    ...validatePolicies(spec, path),
    ...validatePodTemplate(spec.template ?? {}, path.child("template")),
    ...validateRestartPolicy(spec, path.child("template", "spec", "restartPolicy")),
  ];
}

function validateFailedIndexes(spec: JobSpec, path: FieldPath): FieldError[] {
  const { maxFailedIndexes, backoffLimitPerIndex } = spec;
  if (maxFailedIndexes === undefined || backoffLimitPerIndex !== undefined) return [];
  const detail = "when maxFailedIndexes is specified";
  return [FieldError.required(path.child("backoffLimitPerIndex"), detail)];
}

function validatePolicies(spec: JobSpec, path: FieldPath): FieldError[] {
  const { podFailurePolicy, successPolicy, completionMode, podReplacementPolicy } = spec;
  const successPath = path.child("successPolicy");
  const isIndexed = completionMode === "Indexed";
  const unindexed = "requires indexed completion mode";
  const replacements = podFailurePolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  return [
    ...(podFailurePolicy ? validatePodFailurePolicy(spec, path.child("podFailurePolicy")) : []),
    ...(successPolicy && isIndexed ? validateSuccessPolicy(spec, successPath) : []),
    ...(successPolicy && !isIndexed
      ? [FieldError.invalid(successPath, shownSuccessPolicy(successPolicy), unindexed)]
      : []),
    ...(podReplacementPolicy === undefined
      ? []
      : validateSupported(podReplacementPolicy, replacements, path.child("podReplacementPolicy"))),
  ];
}

/** Pods of a job end: those that always start again are taken for what nobody has said. */
function validateRestartPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const policy = spec.template?.spec?.restartPolicy ?? "";
  const choices = ["OnFailure", "Never"];
  if (policy === "" || policy === "Always") {
    return [FieldError.required(path, `valid values: ${choices.map(quote).join(", ")}`)];
  }
  if (!choices.includes(policy)) return [FieldError.notSupported(path, policy, choices)];
  if (!spec.podFailurePolicy || policy === "Never") return [];
  const detail = 'only "Never" is supported when podFailurePolicy is specified';
  return [FieldError.invalid(path, policy, detail)];
}
