import { FieldError } from "../field/error.ts";
import { FieldPath } from "../field/path.ts";
import { validateLabelValue, validateQualifiedName } from "../names/names.ts";
import type { Values } from "./selector.ts";

/** In the spelling of Kubernetes' selection package. */
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "gt" | "lt" | "exists" | "!";

/** In the order of Kubernetes' messages. */
export const binaryOperators = ["in", "notin", "=", "==", "!=", "gt", "lt"] as const;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** In Kubernetes' words. */
export function validateRequirement({ key, operator, values }: LabelRequirement): FieldError[] {
  const path = FieldPath.root.child("values");
  return [
    ...validateKey(key, FieldPath.root.child("key")),
    ...validateCount(operator, values, path),
    ...values.flatMap((value, i) => {
      const problems = validateLabelValue(value);
      if (problems.length === 0) return [];
      return [FieldError.invalid(path.index(i).key(key), value, problems.join("; "))];
    }),
  ];
}

export function validateKey(key: string, path: FieldPath): FieldError[] {
  const problems = validateQualifiedName(key);
  return problems.length === 0 ? [] : [FieldError.invalid(path, key, problems.join("; "))];
}

function validateCount(
  operator: LabelOperator,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  // Kubernetes holds no values as nil, which prints as null.
  const shown = values.length === 0 ? null : values;
  const invalid = (detail: string) => [FieldError.invalid(path, shown, detail)];
  switch (operator) {
    case "in":
    case "notin":
      if (values.length > 0) return [];
      return invalid("for 'in', 'notin' operators, values set can't be empty");
    case "=":
    case "==":
    case "!=":
      if (values.length === 1) return [];
      return invalid("exact-match compatibility requires one single value");
    case "exists":
    case "!":
      if (values.length === 0) return [];
      return invalid("values set must be empty for exists and does not exist");
    case "gt":
    case "lt":
      return [
        ...(values.length === 1
          ? []
          : invalid("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...validateIntegers(values, path),
      ];
  }
}

function validateIntegers(values: readonly string[], path: FieldPath): FieldError[] {
  const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
  return values.flatMap((value, i) =>
    parseInt64(value) === undefined ? [FieldError.invalid(path.index(i), value, detail)] : [],
  );
}

export function matchesRequirement(requirement: LabelRequirement, labels: Values): boolean {
  const { key, operator, values } = requirement;
  const label = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "in":
    case "=":
    case "==":
      return label !== undefined && values.includes(label);
    case "notin":
    case "!=":
      return label === undefined || !values.includes(label);
    case "exists":
      return label !== undefined;
    case "!":
      return label === undefined;
    case "gt":
    case "lt":
      return compares(operator, label, values[0]);
  }
}

function compares(operator: "gt" | "lt", label: string | undefined, value = ""): boolean {
  const left = label === undefined ? undefined : parseInt64(label);
  const right = parseInt64(value);
  if (left === undefined || right === undefined) return false;
  return operator === "gt" ? left > right : left < right;
}

function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Sorts the values. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = values.length > 1 ? values.toSorted().join(",") : (values[0] ?? "");
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${list})`;
    case "gt":
      return `${key}>${list}`;
    case "lt":
      return `${key}<${list}`;
    default:
      return `${key}${operator}${list}`;
  }
}
