import { ACCUMULATOR, type Expr } from "./ast.ts";
import type { NodesAt } from "./expr-factory.ts";

/** Why a macro can't be expanded, and at which of its arguments. */
export class MacroError extends Error {
  readonly at: Expr | undefined;

  constructor(at: Expr | undefined, message: string) {
    super(message);
    this.at = at;
  }
}

export type MacroExpander = (input: MacroInput) => Expr;

/** A call that names a macro. */
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

  /** The name that an argument declares; `otherwise` says what it must be. */
  variable(argument: Expr | undefined, otherwise: string): string {
    if (argument?.kind !== "ident") throw new MacroError(argument, otherwise);
    if (argument.name === ACCUMULATOR || argument.name === "__result__") {
      throw new MacroError(argument, "iteration variable overwrites accumulator variable");
    }
    return argument.name;
  }
}
