import { codePointCount } from "../cel/values/value.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { ValuePath } from "./value-path.ts";
import { invalid, tooLong, type Violation } from "./violation.ts";

/** The first violation of a string's limits. */
export function checkString(
  node: SchemaNode,
  value: string,
  path: ValuePath,
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
  if (!pattern || pattern.compiled?.test(value)) return undefined;
  const problem = pattern.compiled ? "" : `, but pattern is invalid: ${pattern.problem}`;
  return invalid(path, value, `should match '${pattern.text}${problem}'`);
}
