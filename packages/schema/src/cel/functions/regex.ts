import type { Meter } from "../meter.ts";
import { CelError, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";
import { patternOf } from "./pattern.ts";

function find([text, pattern]: [string, string], meter: Meter): Value {
  const compiled = patternOf(pattern);
  const problem = meter.compile(compiled);
  return problem === "" ? (meter.matches(compiled, text, 1)[0] ?? "") : illegal(problem);
}

function findAll([text, pattern, limit = -1n]: [string, string, bigint?], meter: Meter): Value {
  const compiled = patternOf(pattern);
  const problem = meter.compile(compiled);
  if (problem !== "") return illegal(problem);
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  return new ValueList(meter.matches(compiled, text, most));
}

function illegal(problem: string): CelError {
  return new CelError(`Illegal regex: ${problem}`);
}

/** Kubernetes' own regex library. */
export const REGEX_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions({
  find: { "string_find_string: string.(string) -> string": find },
  findAll: {
    "string_find_all_string: string.(string) -> list(string)": findAll,
    "string_find_all_string_int: string.(string, int) -> list(string)": findAll,
  },
});
