import { FieldError, type FieldPath, percentOf } from "@rookery/kube";
import { invalidEach, validateNonnegative } from "./field-rules.ts";
import { validatePercent, validatePortName, validatePortNumber } from "./formats.ts";

/** A number, or a text such as "25%". */
export type IntOrString = number | string;

/** A number of at least 0, or a percentage. */
export function validateIntOrPercent(value: IntOrString, path: FieldPath): FieldError[] {
  if (typeof value === "number") return validateNonnegative(value, path);
  return invalidEach(value, validatePercent(value), path);
}

/** A percentage of at most 100; numbers are not looked at. */
export function validateNotMoreThanAll(value: IntOrString, path: FieldPath): FieldError[] {
  const percent = percentOf(value);
  if (percent === undefined || percent <= 100) return [];
  return [FieldError.invalid(path, value, "must not be greater than 100%")];
}

/** The number or the name of a port. */
export function validatePortNumberOrName(port: IntOrString, path: FieldPath): FieldError[] {
  const problems = typeof port === "number" ? validatePortNumber(port) : validatePortName(port);
  return invalidEach(port, problems, path);
}
