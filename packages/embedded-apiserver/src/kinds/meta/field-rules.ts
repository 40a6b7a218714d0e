import { deepEqual, FieldError, type FieldPath, validateQualifiedName } from "@rookery/kube";

/** Functions that return the errors of one field, with the messages of Kubernetes. */
type Problems = FieldError[];

export const negativeDetail = "must be greater than or equal to 0";
export const notPositiveDetail = "must be greater than zero";
export const immutableDetail = "field is immutable";
const annotationsMaxBytes = 256 * 1024;

/** One FieldError for each message about a value. */
export function invalidEach(
  value: unknown,
  details: readonly string[],
  path: FieldPath | string,
): Problems {
  return details.map((detail) => FieldError.invalid(path, value, detail));
}

export function validateNonnegative(value: number, path: FieldPath): Problems {
  return value < 0 ? [FieldError.invalid(path, value, negativeDetail)] : [];
}

/** Like Kubernetes, treats absent, null, an empty list and an empty map as equal. */
export function isSameValue(value: unknown, old: unknown): boolean {
  return deepEqual(compacted(value), compacted(old));
}

function compacted(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(compacted);
  if (typeof value !== "object") return value;
  const entries = Object.entries(value)
    .map(([key, child]) => [key, compacted(child)] as const)
    .filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries);
}

/** Go: ValidateImmutableField. */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): Problems {
  return isSameValue(value, old) ? [] : [FieldError.invalid(path, value ?? null, immutableDetail)];
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): Problems {
  const problems: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    problems.push(...invalidEach(key, validateQualifiedName(key.toLowerCase()), path));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > annotationsMaxBytes) problems.push(FieldError.tooLong(path, annotationsMaxBytes));
  return problems;
}
