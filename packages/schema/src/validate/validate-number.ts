import { formatDouble } from "../cel/values/numbers.ts";
import { isInt64 } from "../json.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import type { ValuePath } from "./value-path.ts";
import { invalid, multipleOfNotPositive, type Violation } from "./violation.ts";

/** The violations of a number's limits. An integer is compared with limits cut to integers. */
export function checkNumber(
  schema: JSONSchemaProps,
  value: number,
  path: ValuePath,
): readonly Violation[] {
  const limit = isInt64(value) ? Math.trunc : (number: number): number => number;
  const violations: Violation[] = [];
  const { multipleOf, minimum, maximum } = schema;
  if (multipleOf !== undefined) {
    const violation = checkMultiple(limit(multipleOf), value, path);
    if (violation) violations.push(violation);
  }
  if (minimum !== undefined) {
    const min = limit(minimum);
    const exclusive = schema.exclusiveMinimum === true;
    if (exclusive ? value <= min : value < min) {
      const relation = exclusive ? "greater than" : "greater than or equal to";
      violations.push(invalid(path, value, `should be ${relation} ${show(min, value)}`));
    }
  }
  if (maximum !== undefined) {
    const max = limit(maximum);
    const exclusive = schema.exclusiveMaximum === true;
    if (exclusive ? value >= max : value > max) {
      const relation = exclusive ? "less than" : "less than or equal to";
      violations.push(invalid(path, value, `should be ${relation} ${show(max, value)}`));
    }
  }
  return violations;
}

/** Limits print as the kind of number that they are compared with. */
function show(limit: number, value: number): string {
  return isInt64(value) ? String(limit) : formatDouble(limit);
}

function checkMultiple(factor: number, value: number, path: ValuePath): Violation | undefined {
  if (factor <= 0) return multipleOfNotPositive(path, show(factor, value), factor);
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = isInt64(value) ? value % factor === 0 : isNearlyWhole(quotient);
  return whole ? undefined : invalid(path, value, `should be a multiple of ${show(factor, value)}`);
}

function isNearlyWhole(value: number): boolean {
  const truncated = Math.trunc(value);
  if (value === truncated) return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return Math.abs(value - truncated) / (Math.abs(value) + Math.abs(truncated)) < 1e-9;
}
