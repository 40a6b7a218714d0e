import type { Condition, LabelSelector } from "@rookery/kube";
import { list, listMap, map, object, set } from "./collections.ts";
import type { FieldType } from "./field-type.ts";
import { type Field, optional, required } from "./fields.ts";
import { enumeration, integer, string, time } from "./scalars.ts";

const NAME = { minLength: 1, maxLength: 253 };

/** A metav1.LabelSelector. */
export function labelSelector(): FieldType<LabelSelector> {
  const expression = object({
    key: required(string(), "The label key that the selector applies to."),
    operator: required(
      enumeration("In", "NotIn", "Exists", "DoesNotExist"),
      "The key's relationship to the values.",
    ),
    values: optional(
      list(string()),
      "The values: not empty for In and NotIn, empty for Exists and DoesNotExist.",
    ),
  });
  return object(
    {
      matchExpressions: optional(
        list(expression),
        "Requirements on labels. All of them must hold.",
      ),
      matchLabels: optional(
        map(string()),
        "Labels that must have exactly these values. All of them must hold.",
      ),
    },
    { atomic: true },
  );
}

/** The conditions of a status: metav1.Condition, one for each type. */
export function conditions(): FieldType<readonly Condition[]> {
  const condition = object({
    type: required(
      string({ maxLength: 316, pattern: CONDITION_TYPE_PATTERN }),
      "The type of the condition, in CamelCase.",
    ),
    status: required(enumeration("True", "False", "Unknown"), "The status of the condition."),
    observedGeneration: optional(
      integer({ format: "int64", minimum: 0 }),
      "The generation of the object that the condition was set upon.",
    ),
    lastTransitionTime: required(time(), "When the status changed last."),
    reason: required(
      string({ minLength: 1, maxLength: 1024, pattern: REASON_PATTERN }),
      "Why the status is what it is, for programs, in CamelCase.",
    ),
    message: required(string({ maxLength: 32768 }), "The same for people. May be empty."),
  });
  return listMap(condition, ["type"]);
}

/** A reference to an object in the same namespace, or in one that the kind's documentation names. */
export function localObjectReference() {
  return object({ name: required(string(NAME), "The name of the object.") }, { atomic: true });
}

/** A reference to an object of any kind, in the referrer's namespace or in a given one. */
export function objectReference() {
  return object(
    {
      apiVersion: required(string({ minLength: 1 }), "The API group and version of the object."),
      kind: required(string({ minLength: 1 }), "The kind of the object."),
      name: required(string(NAME), "The name of the object."),
      namespace: optional(string(NAME), "The namespace of the object."),
    },
    { atomic: true },
  );
}

/** A reference to a Secret in any namespace. */
export function secretReference() {
  return object(
    {
      name: required(string(NAME), "The name of the Secret."),
      namespace: optional(string(NAME), "The namespace of the Secret."),
    },
    { atomic: true },
  );
}

/** The spec of a template, from the field for the spec of the objects that are made from it. */
export function templateSpec<const Spec extends Field>(spec: Spec, objects = "objects") {
  const metadata = optional(templateMetadata(), `Labels and annotations of the ${objects}.`);
  const template = required(object({ metadata, spec }), "The template.");
  return required(object({ template }), "The template.");
}

export function templateMetadata() {
  return object({
    annotations: optional(map(string()), "Annotations for the objects made from the template."),
    labels: optional(map(string()), "Labels for the objects made from the template."),
  });
}

/** The names of namespaces. */
export function namespaceNames() {
  return set(string({ minLength: 1, maxLength: 63, pattern: DNS_LABEL_PATTERN }));
}

const DNS_LABEL_PATTERN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const REASON_PATTERN = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
const CONDITION_TYPE_PATTERN =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
