import { INT, listOf, STRING } from "../check/cel-type.ts";
import { CelError } from "../values/cel-error.ts";
import { ValueList } from "../values/value-list.ts";
import { type FunctionDeclaration, type Implementation, member } from "./declare.ts";
import { compilePattern } from "./pattern.ts";

function matchesOf(text: string, pattern: string, limit: number): readonly string[] | CelError {
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) return new CelError(`Illegal regex: ${compiled.message}`);
  const found: string[] = [];
  const matcher = compiled.matcher(text);
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}

const find: Implementation = ([text, pattern]) => {
  const found = matchesOf(text as string, pattern as string, 1);
  return found instanceof CelError ? found : (found[0] ?? "");
};

const findAll: Implementation = ([text, pattern, limit = -1n]) => {
  const found = matchesOf(text as string, pattern as string, Number(limit));
  return found instanceof CelError ? found : new ValueList(found);
};

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
