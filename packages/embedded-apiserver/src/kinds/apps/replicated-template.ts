import type { LabelSelector, PodTemplateSpec } from "@rookery/api";
import { compileSelector, FieldError, type FieldPath } from "@rookery/kube";
import { validatePodTemplate } from "../pod-spec/index.ts";
import { validateLastingPods, validateMatchingLabels } from "./workload-rules.ts";

interface Replicated {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

/** The template of a ReplicaSet, which is that of a Deployment too. */
export function validateReplicatedTemplate(spec: Replicated, path: FieldPath): FieldError[] {
  const { selector, template = {} } = spec;
  if (compileSelector(selector) === undefined) {
    return [FieldError.invalid(path.child("selector"), selector, "invalid label selector")];
  }
  const at = path.child("template");
  return [
    ...validateMatchingLabels(spec, at),
    ...validatePodTemplate(template, at),
    ...validateLastingPods(template, at, "ReplicaSet"),
  ];
}
