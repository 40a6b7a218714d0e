import { type Expr, OPERATORS } from "./ast.ts";
import type { NodesAt } from "./expr-factory.ts";

export type Quantifier = "all" | "exists" | "exists_one";

/** How a quantifier folds its predicate into the accumulator. */
export function quantifierLoop(nodes: NodesAt, quantifier: Quantifier, predicate: Expr) {
  const { and, or, not, add, equals, conditional, notStrictlyFalse } = OPERATORS;
  switch (quantifier) {
    case "all":
      return {
        accuInit: nodes.literal(true),
        condition: nodes.call(notStrictlyFalse, nodes.accumulator()),
        step: nodes.call(and, nodes.accumulator(), predicate),
        result: nodes.accumulator(),
      };
    case "exists":
      return {
        accuInit: nodes.literal(false),
        condition: nodes.call(notStrictlyFalse, nodes.call(not, nodes.accumulator())),
        step: nodes.call(or, nodes.accumulator(), predicate),
        result: nodes.accumulator(),
      };
    case "exists_one": {
      const one = nodes.call(add, nodes.accumulator(), nodes.literal(1n));
      return {
        accuInit: nodes.literal(0n),
        condition: nodes.literal(true),
        step: nodes.call(conditional, predicate, one, nodes.accumulator()),
        result: nodes.call(equals, nodes.accumulator(), nodes.literal(1n)),
      };
    }
  }
}
