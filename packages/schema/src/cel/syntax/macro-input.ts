import { ACCUMULATOR, type Expr, OPERATORS } from "./ast.ts";
import type { NodesAt } from "./expr-factory.ts";

/** A macro expansion failed, at one of its arguments. */
export class MacroError extends Error {
  readonly at: Expr | undefined;

  constructor(at: Expr | undefined, message: string) {
    super(message);
    this.at = at;
  }
}

export type MacroExpander = (input: MacroInput) => Expr;

export class MacroInput {
  readonly nodes: NodesAt;
  readonly args: readonly Expr[];
  readonly #target: Expr | undefined;

  constructor(nodes: NodesAt, target: Expr | undefined, args: readonly Expr[]) {
    this.nodes = nodes;
    this.args = args;
    this.#target = target;
  }

  get target(): Expr {
    if (!this.#target) throw new MacroError(undefined, "the macro must be called on a value");
    return this.#target;
  }

  argument(index: number): Expr {
    const argument = this.args[index];
    if (!argument) throw new MacroError(undefined, `argument ${index} is missing`);
    return argument;
  }

  /** The variable that an argument declares; `otherwise` is the error for other arguments. */
  variable(argument: Expr | undefined, otherwise: string): string {
    if (argument?.kind !== "ident") throw new MacroError(argument, otherwise);
    if (argument.name === ACCUMULATOR || argument.name === "__result__") {
      throw new MacroError(argument, "iteration variable overwrites accumulator variable");
    }
    return argument.name;
  }
}

export type Quantifier = "all" | "exists" | "exists_one";

/** The loop of a quantifier. */
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
