import { FieldError, type FieldPath } from "@rookery/kube";

/** A path of files that does not go up. */
export function validateNoBacksteps(value: string, path: FieldPath): FieldError[] {
  const goesUp = value.split("/").includes("..");
  return goesUp ? [FieldError.invalid(path, value, "must not contain '..'")] : [];
}

/** A relative path that does not go up. */
export function validateDescendingPath(value: string, path: FieldPath): FieldError[] {
  const problems = validateNoBacksteps(value, path);
  if (!value.startsWith("/")) return problems;
  return [FieldError.invalid(path, value, "must be a relative path"), ...problems];
}

/** As above, and not one of those that begin with two dots, which volumes keep for themselves. */
export function validateNonReservedPath(value: string, path: FieldPath): FieldError[] {
  const problems = validateDescendingPath(value, path);
  if (!value.startsWith("..") || value.startsWith("../")) return problems;
  return [...problems, FieldError.invalid(path, value, "must not start with '..'")];
}

/** The permissions of a file. */
export function validateFileMode(mode: number | undefined, path: FieldPath): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  const detail = "must be a number between 0 and 0777 (octal), both inclusive";
  return [FieldError.invalid(path, mode, detail)];
}
