import type { Condition } from "@rookery/api";
import { FieldError, type FieldPath, repeatedPlaces } from "@rookery/kube";
import { invalidEach, validateLabelName, validateSupported } from "./field-rules.ts";
import { regexProblem } from "./formats.ts";

const statuses = ["False", "True", "Unknown"];
const maxReasonBytes = 1024;
const maxMessageBytes = 32 * 1024;
const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";

/** The problems of metav1.Conditions, each type of which may be there once. */
export function validateConditions(
  conditions: readonly Condition[],
  path: FieldPath,
): FieldError[] {
  const repeated = repeatedPlaces(conditions.map(({ type = "" }) => type));
  return conditions.flatMap((condition, i) => {
    const { type = "" } = condition;
    return [
      ...(repeated.has(i) ? [FieldError.duplicate(path.index(i).child("type"), type)] : []),
      ...validateCondition(condition, path.index(i)),
    ];
  });
}

function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const { type = "", status = "", observedGeneration = 0, message = "" } = condition;
  const problems = [
    ...validateLabelName(type, path.child("type")),
    ...validateSupported(status, statuses, path.child("status")),
  ];
  if (observedGeneration < 0) {
    const detail = "must be greater than or equal to zero";
    problems.push(FieldError.invalid(path.child("observedGeneration"), observedGeneration, detail));
  }
  if (!condition.lastTransitionTime) {
    problems.push(FieldError.required(path.child("lastTransitionTime"), ""));
  }
  problems.push(...validateReason(condition.reason ?? "", path.child("reason")));
  if (Buffer.byteLength(message) > maxMessageBytes) {
    problems.push(FieldError.tooLong(path.child("message"), maxMessageBytes));
  }
  return problems;
}

function validateReason(reason: string, path: FieldPath): FieldError[] {
  if (reason === "") return [FieldError.required(path, "")];
  const message =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
  const examples = ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"];
  const matches = new RegExp(`^${reasonFormat}$`).test(reason);
  return [
    ...invalidEach(reason, matches ? [] : [regexProblem(message, reasonFormat, examples)], path),
    ...(Buffer.byteLength(reason) > maxReasonBytes
      ? [FieldError.tooLong(path, maxReasonBytes)]
      : []),
  ];
}
