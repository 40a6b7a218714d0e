import type { JobSpec } from "@rookery/api";
import { atMost, invalidIf, requiredIf, unset } from "../meta/checks.ts";
import { optional } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { ruleOf } from "../meta/rules.ts";

const maxParallelism = 100_000;
const maxFailedIndexesLimit = 100_000;
/** The number of completions above which other limits are lower. */
const manyCompletions = 100_000;
const maxParallelismOfMany = 10_000;
const maxFailedIndexesOfMany = 10_000;
const lessOrEqual = "must be less than or equal to";
const ofMany = `when completions are above ${manyCompletions} and used with backoff limit per index`;

/** Go: validateJobSpec, of an indexed job. */
const indexed = ruleOf<JobSpec>([
  requiredIf(
    "completions",
    ({ completions }) => completions === undefined,
    "when completion mode is Indexed",
  ),
  {
    parallelism: atMost(
      maxParallelism,
      `${lessOrEqual} ${maxParallelism} when completion mode is Indexed`,
    ),
  },
  invalidIf(
    "maxFailedIndexes",
    ({ completions, maxFailedIndexes: failed = 0 }) =>
      completions !== undefined && failed > completions,
    `${lessOrEqual} completions`,
  ),
  { maxFailedIndexes: atMost(maxFailedIndexesLimit, `${lessOrEqual} ${maxFailedIndexesLimit}`) },
]);

const manyIndexes = ruleOf<JobSpec>([
  requiredIf(
    "maxFailedIndexes",
    ({ maxFailedIndexes }) => maxFailedIndexes === undefined,
    `must be specified when completions is above ${manyCompletions}`,
  ),
  {
    parallelism: atMost(maxParallelismOfMany, `${lessOrEqual} ${maxParallelismOfMany} ${ofMany}`),
    maxFailedIndexes: optional(
      atMost(maxFailedIndexesOfMany, `${lessOrEqual} ${maxFailedIndexesOfMany} ${ofMany}`),
    ),
  },
]);

const needsIndexes = unset("requires indexed completion mode");
const unindexed = ruleOf<JobSpec>({
  backoffLimitPerIndex: needsIndexes,
  maxFailedIndexes: needsIndexes,
});

export function completionMode(spec: JobSpec, field: Field): void {
  const { completionMode: mode = "NonIndexed", completions = 0, backoffLimitPerIndex } = spec;
  const isMany = completions > manyCompletions && backoffLimitPerIndex !== undefined;
  if (mode === "NonIndexed") unindexed(spec, field);
  else if (mode === "Indexed") {
    indexed(spec, field);
    if (isMany) manyIndexes(spec, field);
  } else field.child("completionMode").notSupported(mode, ["NonIndexed", "Indexed"]);
}
