import { listMap, object } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import { enumeration, integer, string } from "../../declaration/scalars.ts";

const SUBDOMAIN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const KIND = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$";
const CONDITION_TYPE =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/** A reference whose version is found by the labels of the kind's CRD. */
export function contractReference() {
  return object({
    apiGroup: required(
      string({ minLength: 1, maxLength: 253, pattern: SUBDOMAIN }),
      "The API group of the object.",
    ),
    kind: required(
      string({ minLength: 1, maxLength: 63, pattern: KIND }),
      "The kind of the object.",
    ),
    name: required(objectName(), "The name of the object, in the same namespace."),
  });
}

export function objectName() {
  return string({ minLength: 1, maxLength: 253, pattern: SUBDOMAIN });
}

/** Further conditions that have to hold before an object counts as ready or available. */
export function conditionGates() {
  return listMap(
    object({
      conditionType: required(
        string({ minLength: 1, maxLength: 316, pattern: CONDITION_TYPE }),
        "The type of the condition.",
      ),
      polarity: optional(
        enumeration("Positive", "Negative"),
        "Whether it is good that the condition is true. Positive by default.",
      ),
    }),
    ["conditionType"],
    { minItems: 1, maxItems: 32 },
  );
}

/** How many machines there are, and how many of them are as they should be. */
export function replicaCounts() {
  const count = () => integer({ format: "int32" });
  return object({
    desiredReplicas: optional(count(), "How many machines are wanted."),
    replicas: optional(count(), "How many machines there are."),
    upToDateReplicas: optional(count(), "How many of them are what is wanted now."),
    readyReplicas: optional(count(), "How many of them are ready."),
    availableReplicas: optional(count(), "How many of them are available."),
  });
}
