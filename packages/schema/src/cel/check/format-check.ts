import { type CelType, DYN, type Kind } from "../cel-type.ts";
import { type Clause, FormatError, parseFormat } from "../functions/string-format.ts";
import { wrongType } from "../functions/string-formatters.ts";
import type { Call, Expr } from "../syntax/ast.ts";
import type { CheckedExpr } from "./checked.ts";

const ACCEPTED: Readonly<Record<string, readonly Kind[]>> = {
  s: [
    "list",
    "map",
    "int",
    "uint",
    "double",
    "bool",
    "string",
    "timestamp",
    "bytes",
    "duration",
    "type",
    "null",
  ],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/** Something wrong with a call of `format()`. */
export interface FormatProblem {
  readonly at: Expr;
  readonly message: string;
}

/** Checks `"literal".format([literal list])` before it is ever evaluated. */
export function checkFormatCall(expr: Call, checked: CheckedExpr): FormatProblem | undefined {
  const [list] = expr.args;
  const format = expr.target?.kind === "literal" ? expr.target.value : undefined;
  if (typeof format !== "string" || list?.kind !== "list") return undefined;
  try {
    const clauses = parseFormat(format).filter((part) => typeof part !== "string");
    return checkArguments(expr, clauses, { elements: list.elements, checked });
  } catch (error) {
    if (error instanceof FormatError) return { at: expr, message: error.message };
    throw error;
  }
}

function checkArguments(
  expr: Call,
  clauses: readonly Clause[],
  { elements, checked }: { readonly elements: readonly Expr[]; readonly checked: CheckedExpr },
): FormatProblem | undefined {
  const typeOf = (at: Expr): CelType => checked.types.get(at.id) ?? DYN;
  for (const [index, { verb }] of clauses.entries()) {
    const argument = elements[index];
    if (!argument) return { at: expr, message: `index ${index} out of range` };
    const wrong = firstRefused(argument, verb, typeOf);
    if (!wrong) continue;
    const problem = wrongType(verb, typeOf(wrong).name);
    return { at: wrong, message: `error during formatting: ${problem}` };
  }
  if (elements.length <= clauses.length) return undefined;
  const counts = `expected ${clauses.length}, got ${elements.length}`;
  return { at: expr, message: `too many arguments supplied to string.format (${counts})` };
}

/** `%s` looks into literal lists and maps as well. */
function firstRefused(expr: Expr, verb: string, typeOf: (at: Expr) => CelType): Expr | undefined {
  const { kind } = typeOf(expr);
  if (kind !== "dyn" && !ACCEPTED[verb]?.includes(kind)) return expr;
  if (verb !== "s") return undefined;
  const parts =
    expr.kind === "list"
      ? expr.elements
      : expr.kind === "map"
        ? expr.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const refused = firstRefused(part, verb, typeOf);
    if (refused) return refused;
  }
  return undefined;
}
