import type { JobSpec, SuccessPolicyRule } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { validateNonnegative } from "../meta/field-rules.ts";
import { countIndexes, indexProblem } from "./job-indexes.ts";

const maxRules = 20;
const maxIndexesBytes = 64 * 1024;

/** When an indexed job has succeeded although not all of its indexes have. */
export function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const at = path.child("rules");
  const none = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [FieldError.required(at, none)] : []),
    ...(rules.length > maxRules ? [FieldError.tooMany(at, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => validateRule(rule, spec.completions ?? 0, at.index(i))),
  ];
}

function validateRule(rule: SuccessPolicyRule, completions: number, path: FieldPath): FieldError[] {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined) {
    const detail = "at least one of succeededCount or succeededIndexes must be specified";
    return [FieldError.required(path, detail)];
  }
  return [
    ...validateIndexes(rule, completions, path.child("succeededIndexes")),
    ...validateCount(rule, completions, path.child("succeededCount")),
  ];
}

function validateIndexes(
  { succeededIndexes: indexes }: SuccessPolicyRule,
  completions: number,
  path: FieldPath,
): FieldError[] {
  if (indexes === undefined) return [];
  const problem = indexProblem(() => countIndexes(indexes, completions));
  const isLong = Buffer.byteLength(indexes) > maxIndexesBytes;
  const detail = `error parsing succeededIndexes: ${problem}`;
  return [
    ...(isLong ? [FieldError.tooLong(path, maxIndexesBytes)] : []),
    ...(problem === undefined ? [] : [FieldError.invalid(path, indexes, detail)]),
  ];
}

function validateCount(
  { succeededCount: count, succeededIndexes: indexes }: SuccessPolicyRule,
  completions: number,
  path: FieldPath,
): FieldError[] {
  if (count === undefined) return [];
  let total = 0;
  indexProblem(() => {
    total = countIndexes(indexes ?? "", completions);
  });
  const atMost = (limit: number, named: string) =>
    count > limit
      ? [FieldError.invalid(path, count, `must be less than or equal to ${limit} (${named})`)]
      : [];
  return [
    ...validateNonnegative(count, path),
    ...atMost(completions, "the number of specified completions"),
    ...(indexes === undefined
      ? []
      : atMost(total, "the number of indexes in the specified succeededIndexes field")),
  ];
}
