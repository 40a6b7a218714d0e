import type { JobSpec } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";

const maxParallelism = 100_000;
const maxFailedIndexesLimit = 100_000;
/** From so many completions on, less of other things is allowed. */
const manyCompletions = 100_000;
const maxParallelismOfMany = 10_000;
const maxFailedIndexesOfMany = 10_000;

/** Indexed jobs have as many pods as completions, each with an index; others have no indexes. */
export function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completionMode: mode = "NonIndexed" } = spec;
  if (mode === "Indexed") {
    return [...validateIndexed(spec, path), ...validateManyIndexes(spec, path)];
  }
  if (mode === "NonIndexed") return validateUnindexed(spec, path);
  const modes = ["NonIndexed", "Indexed"];
  return [FieldError.notSupported(path.child("completionMode"), mode, modes)];
}

function validateIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes: failed } = spec;
  const failedPath = path.child("maxFailedIndexes");
  const atMost = "must be less than or equal to";
  const problems: FieldError[] = [];
  if (completions === undefined) {
    const detail = "when completion mode is Indexed";
    problems.push(FieldError.required(path.child("completions"), detail));
  }
  if (parallelism > maxParallelism) {
    const detail = `${atMost} ${maxParallelism} when completion mode is Indexed`;
    problems.push(FieldError.invalid(path.child("parallelism"), parallelism, detail));
  }
  if (completions !== undefined && failed !== undefined && failed > completions) {
    problems.push(FieldError.invalid(failedPath, failed, `${atMost} completions`));
  }
  if (failed !== undefined && failed > maxFailedIndexesLimit) {
    problems.push(FieldError.invalid(failedPath, failed, `${atMost} ${maxFailedIndexesLimit}`));
  }
  return problems;
}

function validateManyIndexes(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completions = 0, parallelism = 0, maxFailedIndexes: failed } = spec;
  if (completions <= manyCompletions || spec.backoffLimitPerIndex === undefined) return [];
  const failedPath = path.child("maxFailedIndexes");
  const above = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  const atMost = (limit: number) => `must be less than or equal to ${limit} ${above}`;
  const problems: FieldError[] = [];
  if (failed === undefined) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    problems.push(FieldError.required(failedPath, detail));
  }
  if (parallelism > maxParallelismOfMany) {
    const detail = atMost(maxParallelismOfMany);
    problems.push(FieldError.invalid(path.child("parallelism"), parallelism, detail));
  }
  if (failed !== undefined && failed > maxFailedIndexesOfMany) {
    problems.push(FieldError.invalid(failedPath, failed, atMost(maxFailedIndexesOfMany)));
  }
  return problems;
}

function validateUnindexed(spec: JobSpec, path: FieldPath): FieldError[] {
  return (["backoffLimitPerIndex", "maxFailedIndexes"] as const).flatMap((field) => {
    const value = spec[field];
    const detail = "requires indexed completion mode";
    return value === undefined ? [] : [FieldError.invalid(path.child(field), value, detail)];
  });
}
