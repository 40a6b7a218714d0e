import { codePointCount } from "../cel/values/value.ts";
import type { Pattern } from "../patterns/pattern.ts";
import { type PatternTime, PatternTimeExceeded } from "../patterns/pattern-time.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { ValuePath } from "./value-path.ts";
import { invalid, tooLong, type Violation } from "./violation.ts";

/** The first violation of a string's limits. */
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

/** The pattern as messages show it, where the text does not match. */
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
