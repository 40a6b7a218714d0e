import type { PodTemplateSpec } from "@rookery/api";
import { FieldError, type FieldPath, validateLabels } from "@rookery/kube";
import { validateAnnotations } from "../meta/field-rules.ts";
import {
  validateAppArmorMatch,
  validatePodAnnotations,
  validateSeccompMatch,
} from "./pod-annotations.ts";
import { validatePodSpec } from "./validate-spec.ts";

/** What pods are made of by controllers (Go: ValidatePodTemplateSpec). */
export function validatePodTemplate(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const { metadata = {}, spec = {} } = template;
  const { labels = {}, annotations = {} } = metadata;
  const detail = "ephemeral containers not allowed in pod template";
  return [
    ...validateLabels(labels, path.child("labels")),
    ...validateAnnotations(annotations, path.child("annotations")),
    ...validatePodAnnotations(annotations, spec, path.child("annotations")),
    ...validatePodSpec(spec, undefined, path.child("spec")),
    ...validateSeccompMatch(annotations, spec, path.child("spec")),
    ...validateAppArmorMatch(annotations, spec, path.child("spec")),
    ...((spec.ephemeralContainers ?? []).length === 0
      ? []
      : [FieldError.forbidden(path.child("spec", "ephemeralContainers"), detail)]),
  ];
}
