import type {
  FieldSelectorRequirement,
  ResourceAttributes,
  SubjectAccessReviewSpec,
} from "@rookery/api";
import {
  deepEqual,
  FieldError,
  type FieldPath,
  fieldPath,
  type KubeObject,
  validateLabelValue,
  validateQualifiedName,
} from "@rookery/kube";
import { invalidEach } from "../kinds/meta/field-rules.ts";
import { GoStruct } from "../kinds/meta/internal-form.ts";

/** Problems of the attributes and, unless it is a self review, of the user. */
export function validateAccessSpec(spec: SubjectAccessReviewSpec, isSelf: boolean): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user = "", groups = [] } = spec;
  const shown = nonResourceAttributes
    ? { Path: nonResourceAttributes.path ?? "", Verb: nonResourceAttributes.verb ?? "" }
    : null;
  const path = fieldPath("spec");
  const both = resourceAttributes !== undefined && nonResourceAttributes !== undefined;
  const neither = resourceAttributes === undefined && nonResourceAttributes === undefined;
  const noSubject = !isSelf && user === "" && groups.length === 0;
  const together = "cannot be specified in combination with resourceAttributes";
  const one = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  const who = "at least one of user or group must be specified";
  return [
    ...(both ? [FieldError.invalid(path.child("nonResourceAttributes"), shown, together)] : []),
    ...(neither ? [FieldError.invalid(path.child("resourceAttributes"), null, one)] : []),
    ...(noSubject ? [FieldError.invalid(path.child("user"), user, who)] : []),
    ...validateSelectors(resourceAttributes),
  ];
}

function validateSelectors(attributes: ResourceAttributes | undefined): FieldError[] {
  const path = fieldPath("spec.resourceAttributes");
  const { fieldSelector, labelSelector } = attributes ?? {};
  return [
    ...(fieldSelector
      ? validateSelector(fieldSelector, path.child("fieldSelector"), fieldKeyProblems)
      : []),
    ...(labelSelector
      ? validateSelector(labelSelector, path.child("labelSelector"), labelProblems)
      : []),
  ];
}

type Requirement = FieldSelectorRequirement;
type KeyRule = (requirement: Requirement, path: FieldPath) => FieldError[];

function validateSelector(
  { rawSelector = "", requirements = [] }: { rawSelector?: string; requirements?: Requirement[] },
  path: FieldPath,
  keyRule: KeyRule,
): FieldError[] {
  const both = rawSelector !== "" && requirements.length > 0;
  const neither = rawSelector === "" && requirements.length === 0;
  const together = "may not specified at the same time as requirements";
  const one = `when ${path} is specified, requirements or rawSelector is required`;
  return [
    ...(both ? [FieldError.invalid(path.child("rawSelector"), rawSelector, together)] : []),
    ...(neither ? [FieldError.required(path.child("requirements"), one)] : []),
    ...requirements.flatMap((each, i) => keyRule(each, path.child("requirements").index(i))),
  ];
}

function fieldKeyProblems(requirement: Requirement, path: FieldPath): FieldError[] {
  const unnamed = (requirement.key ?? "") === "";
  return [
    ...(unnamed ? [FieldError.required(path.child("key"), "must be specified")] : []),
    ...valueCountProblems(requirement, path),
  ];
}

function labelProblems(requirement: Requirement, path: FieldPath): FieldError[] {
  const { key = "", values = [] } = requirement;
  return [
    ...valueCountProblems(requirement, path),
    ...invalidEach(key, validateQualifiedName(key), path.child("key")),
    ...values.flatMap((value, i) =>
      invalidEach(value, validateLabelValue(value), path.child("values").index(i)),
    ),
  ];
}

/** Unknown operators pass: clients may be newer. */
function valueCountProblems({ operator = "", values = [] }: Requirement, path: FieldPath) {
  const field = path.child("values");
  if (["In", "NotIn"].includes(operator) && values.length === 0) {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return [FieldError.required(field, detail)];
  }
  if (["Exists", "DoesNotExist"].includes(operator) && values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [FieldError.forbidden(field, detail)];
  }
  return [];
}

/** Reviews may have no metadata. */
export function validateNoMetadata({ metadata }: KubeObject, isLocal: boolean): FieldError[] {
  const { managedFields: _, creationTimestamp, namespace, ...rest } = metadata;
  const own = isLocal || !namespace ? rest : { ...rest, namespace };
  if (deepEqual(own, {})) return [];
  const detail = isLocal ? "must be empty except for namespace" : "must be empty";
  const shown = Object.entries(metadata).filter(([, value]) => value !== null);
  return [
    FieldError.invalid(fieldPath("metadata"), new GoStruct(Object.fromEntries(shown)), detail),
  ];
}
