import { parseDuration } from "@rookery/kube";
import { parseTimestamp } from "../../time.ts";
import { type CelType, DYN, type Kind } from "../cel-type.ts";
import { patternOf } from "../functions/pattern.ts";
import { type Clause, FormatError, parseFormat } from "../functions/string-format.ts";
import { wrongType } from "../functions/string-formatters.ts";
import { type Call, childrenOf, type Expr, type ListExpr, type MapExpr } from "../syntax/ast.ts";
import type { Issues } from "../syntax/issues.ts";
import type { CheckedExpr } from "./checked.ts";

// biome-ignore format: a list of words
const STRING_KINDS: readonly Kind[] = [
  "list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration",
  "type", "null",
];

const ACCEPTED: Readonly<Record<string, readonly Kind[]>> = {
  s: STRING_KINDS,
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

interface FormatProblem {
  readonly at: Expr;
  readonly message: string;
}

/** Checks `"literal".format([literal list])` at compile time. */
function checkFormatCall(expr: Call, checked: CheckedExpr): FormatProblem | undefined {
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

/** `%s` checks the parts of literal lists and maps too. */
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

/** Checks beyond types: literals that never parse, and lists and maps of mixed types. */
export function checkLiterals(checked: CheckedExpr, issues: Issues): void {
  new LiteralChecker(checked, issues).visit(checked.expr, false);
}

class LiteralChecker {
  readonly #checked: CheckedExpr;
  readonly #issues: Issues;

  constructor(checked: CheckedExpr, issues: Issues) {
    this.#checked = checked;
    this.#issues = issues;
  }

  /** The arguments of `format()` may be of mixed types. */
  visit(expr: Expr, inFormat: boolean): void {
    if (expr.kind === "call") this.#call(expr);
    if (expr.kind === "list" && !inFormat) this.#list(expr);
    if (expr.kind === "map" && !inFormat) this.#map(expr);
    const exempt = inFormat || (expr.kind === "call" && expr.fn === "format");
    for (const child of childrenOf(expr)) this.visit(child, exempt);
  }

  #report(expr: Expr, message: string): void {
    this.#issues.report(this.#checked.positions.get(expr.id), message);
  }

  #typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr.id) ?? DYN;
  }

  #call(expr: Call): void {
    const [arg] = expr.args;
    const problem = expr.fn === "format" ? checkFormatCall(expr, this.#checked) : undefined;
    if (problem) this.#report(problem.at, problem.message);
    if (arg?.kind !== "literal" || typeof arg.value !== "string") return;
    const parses = LITERAL_PARSERS[expr.fn];
    if (parses && !parses(arg.value)) this.#report(arg, `invalid ${expr.fn} argument`);
  }

  #list(expr: ListExpr): void {
    let expected: CelType | undefined;
    for (const [index, element] of expr.elements.entries()) {
      const type = this.#element(element, expr.optionals.has(index));
      if (this.#differs(element, expected, type)) return;
      expected ??= type;
    }
  }

  #map(expr: MapExpr): void {
    let [keyType, valueType]: (CelType | undefined)[] = [];
    for (const { key, value, optional } of expr.entries) {
      const types = [this.#typeOf(key), this.#element(value, optional)] as const;
      this.#differs(key, keyType, types[0]);
      this.#differs(value, valueType, types[1]);
      keyType ??= types[0];
      valueType ??= types[1];
    }
  }

  #element(expr: Expr, optional: boolean): CelType {
    const type = this.#typeOf(expr);
    return optional ? type.param(0) : type;
  }

  #differs(expr: Expr, expected: CelType | undefined, actual: CelType): boolean {
    if (!expected || expected.isEquivalentTo(actual)) return false;
    this.#report(expr, `expected type '${expected}' but found '${actual}'`);
    return true;
  }
}

const LITERAL_PARSERS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: isDuration,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => patternOf(text).problem === "",
};

function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
