import type { Expr } from "./ast.ts";
import type { ExprFactory } from "./expr-factory.ts";

/** An operand with the operator that stands before it. */
export interface Term {
  readonly offset: number;
  readonly expr: Expr;
}

/** Joins `a && b && c …` into a balanced tree, so that long chains do not nest deeply. */
export function balance(
  factory: ExprFactory,
  fn: string,
  first: Expr,
  rest: readonly Term[],
): Expr {
  const operands = [first, ...rest.map((term) => term.expr)];
  const offsets = rest.map((term) => term.offset);
  const join = (low: number, high: number): Expr => {
    if (low > high) return operands[low] ?? first;
    const middle = Math.floor((low + high + 1) / 2);
    const left = join(low, middle - 1);
    const right = join(middle + 1, high);
    return factory.at(offsets[middle] ?? 0).call(fn, left, right);
  };
  return join(0, offsets.length - 1);
}
