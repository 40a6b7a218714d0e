import type { PriorityClass } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { validateChoice, validateImmutable } from "../meta/field-rules.ts";

const systemPrefix = "system-";
const highestUserPriority = 1_000_000_000;
/** The classes that a cluster has from the beginning, and the only ones with such names. */
const systemValues: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

export const priorityClassKind: BuiltInKind<PriorityClass> = {
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  plural: "priorityclasses",
  singular: "priorityclass",
  namespaced: false,
  shortNames: ["pc"],
  goType: "k8s.io/api/scheduling/v1.PriorityClass",
  model: "io.k8s.api.scheduling.v1.PriorityClass",
  defaults(priorityClass) {
    priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
  },
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
  isNewGeneration: () => false,
  columns: [
    nameColumn,
    column("Value", "integer", ({ value = 0 }: PriorityClass) => value),
    column("Global-Default", "boolean", ({ globalDefault }: PriorityClass) => !!globalDefault),
    ageColumn,
    column("PreemptionPolicy", "string", (priorityClass: PriorityClass) => {
      return priorityClass.preemptionPolicy ?? "";
    }),
  ],
};

function validatePriorityClass(priorityClass: PriorityClass): FieldError[] {
  const { metadata, value = 0, preemptionPolicy } = priorityClass;
  const problems: FieldError[] = [];
  if (metadata?.name?.startsWith(systemPrefix)) {
    problems.push(...validateSystemClass(priorityClass));
  } else if (value > highestUserPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    problems.push(FieldError.forbidden(fieldPath("value"), detail));
  }
  if (preemptionPolicy === undefined) return problems;
  const choices = ["PreemptLowerPriority", "Never"];
  return [...problems, ...validateChoice(preemptionPolicy, choices, fieldPath("preemptionPolicy"))];
}

function validateSystemClass(priorityClass: PriorityClass): FieldError[] {
  const problem = systemProblem(priorityClass);
  if (problem === undefined) return [];
  const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
  return [FieldError.forbidden(fieldPath("metadata", "name"), detail)];
}

function systemProblem({ metadata, value = 0, globalDefault }: PriorityClass): string | undefined {
  const name = metadata?.name ?? "";
  const expected = systemValues.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePriorityClassUpdate(
  { value = 0, preemptionPolicy }: PriorityClass,
  old: PriorityClass,
): FieldError[] {
  const detail = "may not be changed in an update.";
  const path = fieldPath("preemptionPolicy");
  return [
    ...(value === (old.value ?? 0) ? [] : [FieldError.forbidden(fieldPath("value"), detail)]),
    ...validateImmutable(preemptionPolicy, old.preemptionPolicy, path),
  ];
}
