import { FieldError, type FieldPath } from "@rookery/kube";

/** Problems of a text that must be one of a few. */
export function validateEnum(
  value: string,
  accepted: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (value === "") return [FieldError.required(path, "")];
  return accepted.includes(value) ? [] : [FieldError.notSupported(path, value, accepted)];
}
