import { parseDuration } from "@rookery/kube";
import { parseTimestamp } from "../../time.ts";
import { type CelType, DYN } from "../cel-type.ts";
import { patternOf } from "../functions/pattern.ts";
import { type Call, childrenOf, type Expr, type ListExpr, type MapExpr } from "../syntax/ast.ts";
import type { Issues } from "../syntax/issues.ts";
import type { CheckedExpr } from "./checked.ts";
import { checkFormatCall } from "./format-check.ts";

/** Checks what types can't: literals that never parse, and lists and maps of mixed types. */
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
