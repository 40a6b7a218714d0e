import type { JobSpec } from "@rookery/api";
import type { FieldPath } from "@rookery/kube";
import { podTemplateWarnings } from "../pod-spec/index.ts";

const manyCompletions = 100_000;
const muchParallelism = 10_000;

export function jobSpecWarnings(spec: JobSpec, path: FieldPath): string[] {
  const { completionMode, completions = 0, parallelism = 0, template = {} } = spec;
  const isLarge = completions > manyCompletions && parallelism > muchParallelism;
  const large =
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  return [
    ...(completionMode === "Indexed" && isLarge ? [`${path}: ${large}`] : []),
    ...podTemplateWarnings(template, path.child("template")),
  ];
}
