import type { Condition } from "@rookery/api";
import { format, inRange, maxBytes, oneOf, qualifiedName, unique } from "./checks.ts";
import { each, required } from "./combinators.ts";
import { regexProblem } from "./formats.ts";

const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reasonFormat}$`);
const reasonProblem = regexProblem(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonFormat,
  ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"],
);

/** Go: metav1validation.ValidateConditions. */
export const conditions = each<Condition>({
  type: [unique, qualifiedName],
  status: oneOf("False", "True", "Unknown"),
  observedGeneration: inRange(0, Number.POSITIVE_INFINITY, "must be greater than or equal to zero"),
  lastTransitionTime: required(),
  reason: required([
    format((reason) => (reasonPattern.test(reason) ? [] : [reasonProblem])),
    maxBytes(1024),
  ]),
  message: maxBytes(32 * 1024),
});
