import type { LabelSelector, PodTemplateSpec } from "@rookery/api";
import {
  compileSelector,
  FieldError,
  type FieldPath,
  fieldPath,
  isEmptySelector,
} from "@rookery/kube";
import { validateNonnegative, validateSupported } from "../meta/field-rules.ts";
import { validateSelector } from "../meta/label-selectors.ts";

interface Workload {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

/** A selector that nobody has said is null where the workload has been read. */
export function dropNullSelector(spec: { selector?: LabelSelector | null }): void {
  if (spec.selector === null) delete spec.selector;
}

/** A selector that has to be there and to select something. */
export function validateRequiredSelector(
  selector: LabelSelector | undefined,
  path: FieldPath,
  kindName: string,
): FieldError[] {
  if (selector === undefined) return [FieldError.required(path, "")];
  const detail = `empty selector is invalid for ${kindName}`;
  return [
    ...validateSelector(selector, path),
    ...(isEmptySelector(selector) ? [FieldError.invalid(path, selector, detail)] : []),
  ];
}

/** Pods of the template have to be among those that the workload takes for its own. */
export function validateMatchingLabels(
  { selector, template }: Workload,
  path: FieldPath,
): FieldError[] {
  const compiled = compileSelector(selector);
  const labels = template?.metadata?.labels;
  if (compiled === undefined || compiled.isEmpty || compiled.matches(labels ?? {})) return [];
  const detail = "`selector` does not match template `labels`";
  return [FieldError.invalid(path.child("metadata", "labels"), labels ?? null, detail)];
}

/** Pods that run until they are deleted. */
export function validateLastingPods(
  { spec = {} }: PodTemplateSpec,
  path: FieldPath,
  kind: string,
): FieldError[] {
  const { restartPolicy = "", activeDeadlineSeconds } = spec;
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...validateSupported(restartPolicy, ["Always"], path.child("spec", "restartPolicy")),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [FieldError.forbidden(path.child("spec", "activeDeadlineSeconds"), detail)]),
  ];
}

/** Numbers of a status that may not be negative; those that are not there are not looked at. */
export function validateCounts<T extends object>(
  status: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  return fields.flatMap((field) => {
    const value = status[field];
    return typeof value === "number" ? validateNonnegative(value, fieldPath("status", field)) : [];
  });
}

/** A number of a status that may not be above another one. */
export function validateAtMost<T extends object>(
  status: T,
  field: keyof T & string,
  { limit, named }: { readonly limit: keyof T; readonly named: string },
): FieldError[] {
  const value = numberOf(status[field]);
  if (value <= numberOf(status[limit])) return [];
  const detail = `cannot be greater than ${named}`;
  return [FieldError.invalid(fieldPath("status", field), value, detail)];
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

interface Collisions {
  readonly collisionCount?: number;
}

/** How often names of what a workload made have collided never becomes less, nor unknown. */
export function validateCollisionCount(status: Collisions, old: Collisions): FieldError[] {
  const { collisionCount = 0 } = status;
  if (old.collisionCount === undefined) return [];
  if (status.collisionCount !== undefined && collisionCount >= old.collisionCount) return [];
  const path = fieldPath("status", "collisionCount");
  return [FieldError.invalid(path, collisionCount, "cannot be decremented")];
}
