import { INT, listOf, STRING } from "../cel-type.ts";
import { CelError } from "../values/cel-error.ts";
import { ValueList } from "../values/value-list.ts";
import { type FunctionDeclaration, type Implementation, member } from "./declare.ts";
import { patternOf } from "./pattern.ts";

const find: Implementation = ([text, pattern], meter) => {
  const compiled = patternOf(pattern as string);
  const problem = meter.compile(compiled);
  return problem === "" ? (meter.matches(compiled, text as string, 1)[0] ?? "") : illegal(problem);
};

const findAll: Implementation = ([text, pattern, limit = -1n], meter) => {
  const compiled = patternOf(pattern as string);
  const problem = meter.compile(compiled);
  if (problem !== "") return illegal(problem);
  const most = (limit as bigint) < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  return new ValueList(meter.matches(compiled, text as string, most));
};

function illegal(problem: string): CelError {
  return new CelError(`Illegal regex: ${problem}`);
}

/** Kubernetes' own regex library. */
export const REGEX_FUNCTIONS: readonly FunctionDeclaration[] = [
  { name: "find", overloads: [member(["string_find_string", [STRING, STRING], STRING], find)] },
  {
    name: "findAll",
    overloads: [
      member(["string_find_all_string", [STRING, STRING], listOf(STRING)], findAll),
      member(["string_find_all_string_int", [STRING, STRING, INT], listOf(STRING)], findAll),
    ],
  },
];
