import type { PriorityClass } from "@rookery/api";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { immutable, oneOf } from "../meta/checks.ts";
import { ageColumn, column, columns, nameColumn } from "../meta/columns.ts";
import { optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { validator } from "../meta/rules.ts";

const systemPrefix = "system-";
const highestUserPriority = 1_000_000_000;
/** The classes of a new cluster. Others cannot have the prefix. */
const systemValues: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

function systemProblem({ metadata, value = 0, globalDefault }: PriorityClass): string | undefined {
  const name = metadata?.name ?? "";
  const expected = systemValues.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function valueByName(priorityClass: PriorityClass, field: Field): void {
  const { metadata, value = 0 } = priorityClass;
  if (metadata?.name?.startsWith(systemPrefix)) {
    const problem = systemProblem(priorityClass);
    const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
    if (problem !== undefined) field.child("metadata", "name").forbidden(detail);
  } else if (value > highestUserPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    field.child("value").forbidden(detail);
  }
}

/** Go: ValidatePriorityClass. */
const validatePriorityClass = validator<PriorityClass>([
  valueByName,
  { preemptionPolicy: optional(required(oneOf("PreemptLowerPriority", "Never"))) },
]);

/** Go: ValidatePriorityClassUpdate. */
const validateChange = validator<PriorityClass>({
  value: (value, field) => {
    const isSame = (value ?? 0) === (field.old ?? 0);
    if (!isSame) field.forbidden("may not be changed in an update.");
  },
  preemptionPolicy: immutable,
});

export const priorityClassKind: BuiltInKind<PriorityClass> = {
  ...kindNames("scheduling.k8s.io", "PriorityClass", "priorityclasses"),
  namespaced: false,
  shortNames: ["pc"],
  defaults(priorityClass) {
    priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
  },
  validate: validatePriorityClass,
  validateUpdate: validateChange,
  isNewGeneration: () => false,
  columns: [
    nameColumn,
    column("Value", "integer", ({ value = 0 }: PriorityClass) => value),
    column("Global-Default", "boolean", ({ globalDefault }: PriorityClass) => !!globalDefault),
    ageColumn,
    ...columns<PriorityClass>({
      PreemptionPolicy: ({ preemptionPolicy }) => preemptionPolicy ?? "",
    }),
  ],
};
