import { ACCUMULATOR, type Expr, OPERATORS } from "./ast.ts";
import { MacroError, type MacroExpander, type MacroInput } from "./macro-input.ts";
import { OPTIONAL_MACROS } from "./macros-optional.ts";
import { type Quantifier, quantifierLoop } from "./macros-quantifier.ts";
import { TWO_VARIABLE_MACROS } from "./macros-two-variables.ts";

/** Keyed by name, number of arguments and whether the macro is called on something. */
export const MACROS: ReadonlyMap<string, MacroExpander> = new Map([
  ["has:1:global", expandHas],
  ["all:2:member", (input) => expandQuantifier(input, "all")],
  ["exists:2:member", (input) => expandQuantifier(input, "exists")],
  ["exists_one:2:member", (input) => expandQuantifier(input, "exists_one")],
  ["map:2:member", expandMap],
  ["map:3:member", expandMap],
  ["filter:2:member", expandFilter],
  ...OPTIONAL_MACROS,
  ...TWO_VARIABLE_MACROS,
] satisfies (readonly [string, MacroExpander])[]);

function expandHas({ nodes, args }: MacroInput): Expr {
  const [argument] = args;
  if (argument?.kind !== "select")
    throw new MacroError(argument, "invalid argument to has() macro");
  return nodes.select(argument.operand, argument.field, true);
}

function expandQuantifier(input: MacroInput, quantifier: Quantifier): Expr {
  const { nodes, args, target } = input;
  const iterVar = input.variable(args[0], "argument must be a simple name");
  return nodes.comprehension({
    range: target,
    iterVar,
    accuVar: ACCUMULATOR,
    ...quantifierLoop(nodes, quantifier, input.argument(1)),
  });
}

function expandMap(input: MacroInput): Expr {
  const iterVar = input.variable(input.args[0], "argument is not an identifier");
  const filter = input.args.length === 3 ? input.argument(1) : undefined;
  const transform = input.argument(input.args.length - 1);
  return appendLoop(input, { iterVar, filter, element: transform });
}

function expandFilter(input: MacroInput): Expr {
  const iterVar = input.variable(input.args[0], "argument is not an identifier");
  return appendLoop(input, { iterVar, filter: input.argument(1), element: input.argument(0) });
}

function appendLoop(
  { nodes, target }: MacroInput,
  loop: { readonly iterVar: string; readonly filter: Expr | undefined; readonly element: Expr },
): Expr {
  const append = nodes.call(OPERATORS.add, nodes.accumulator(), nodes.list([loop.element]));
  const step = loop.filter
    ? nodes.call(OPERATORS.conditional, loop.filter, append, nodes.accumulator())
    : append;
  return nodes.comprehension({
    range: target,
    iterVar: loop.iterVar,
    accuVar: ACCUMULATOR,
    accuInit: nodes.list(),
    condition: nodes.literal(true),
    step,
    result: nodes.accumulator(),
  });
}
