import { FieldError, fieldPath } from "@rookery/kube";
import { isSameValue } from "../meta/field-rules.ts";

/** What the data of a ConfigMap or a Secret may take together. */
export const dataMaxBytes = 1024 * 1024;

/** How many bytes a text in base64 stands for. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

interface Immutable {
  immutable?: boolean;
}

/** Once it is said to be immutable it stays so, and these fields with it. */
export function validateImmutableData<T extends Immutable>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((field) => !isSameValue(object[field], old[field]));
  const names = object.immutable === true ? changed : ["immutable", ...changed];
  return names.map((name) => FieldError.forbidden(fieldPath(name), detail));
}
