import { formatFloat } from "@rookery/kube";
import { codePointCount } from "../cel/values/value.ts";
import { isInt64 } from "../json.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import type { Pattern } from "../patterns/pattern.ts";
import { type PatternTime, PatternTimeExceeded } from "../patterns/pattern-time.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { ValuePath } from "./value-path.ts";
import { invalid, multipleOfNotPositive, tooLong, type Violation } from "./violation.ts";

/** Compares an integer with limits truncated to integers. */
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

/** Limits print as the type of number that they are compared with. */
function show(limit: number, value: number): string {
  return isInt64(value) ? String(limit) : formatFloat(limit);
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

/** The first violated limit of a string. */
export function checkString(
  node: SchemaNode,
  value: string,
  { path, patternTime }: { readonly path: ValuePath; readonly patternTime: PatternTime },
): Violation | undefined {
  const { maxLength, minLength } = node.source;
  if (maxLength !== undefined || minLength !== undefined) {
    const length = codePointCount(value);
    if (maxLength !== undefined && length > maxLength) return tooLong(path, maxLength);
    if (minLength !== undefined && length < minLength) {
      return invalid(path, value, `should be at least ${minLength} chars long`);
    }
  }
  const { pattern } = node.constraints;
  const problem = pattern && mismatch(pattern, value, patternTime);
  return problem === undefined ? undefined : invalid(path, value, `should match '${problem}'`);
}

/** The pattern for messages; undefined for a match. */
function mismatch(pattern: Pattern, text: string, time: PatternTime): string | undefined {
  try {
    const problem = time.compile(pattern);
    if (problem !== "") return `${pattern.text}, but pattern is invalid: ${problem}`;
    return time.test(pattern, text) ? undefined : pattern.text;
  } catch (error) {
    if (!(error instanceof PatternTimeExceeded)) throw error;
    return `${pattern.text}, but that would take too long to find out`;
  }
}
