import { ACCUMULATOR, type Expr, OPERATORS } from "./ast.ts";
import { MacroError, type MacroExpander, type MacroInput } from "./macro-input.ts";
import { type Quantifier, quantifierLoop } from "./macros-quantifier.ts";

/** Inserts into the accumulator of `transformMap`; no user can write this name. */
export const MAP_INSERT = "cel.@mapInsert";

/** The macros with an index or key beside the element. */
export const TWO_VARIABLE_MACROS: readonly (readonly [string, MacroExpander])[] = [
  ["all:3:member", (input) => expandQuantifier(input, "all")],
  ["exists:3:member", (input) => expandQuantifier(input, "exists")],
  ["exists_one:3:member", (input) => expandQuantifier(input, "exists_one")],
  ["existsOne:3:member", (input) => expandQuantifier(input, "exists_one")],
  ["transformList:3:member", expandTransformList],
  ["transformList:4:member", expandTransformList],
  ["transformMap:3:member", expandTransformMap],
  ["transformMap:4:member", expandTransformMap],
  ["transformMapEntry:3:member", expandTransformMapEntry],
  ["transformMapEntry:4:member", expandTransformMapEntry],
];

function expandQuantifier(input: MacroInput, quantifier: Quantifier): Expr {
  const variables = iterationVariables(input);
  const loop = quantifierLoop(input.nodes, quantifier, input.argument(2));
  return input.nodes.comprehension({
    range: input.target,
    ...variables,
    accuVar: ACCUMULATOR,
    ...loop,
  });
}

function expandTransformList(input: MacroInput): Expr {
  const { nodes } = input;
  const variables = iterationVariables(input);
  const append = nodes.call(OPERATORS.add, nodes.accumulator(), nodes.list([transformOf(input)]));
  return transformLoop(input, { ...variables, accuInit: nodes.list(), step: append });
}

function expandTransformMap(input: MacroInput): Expr {
  const { nodes } = input;
  const variables = iterationVariables(input);
  const key = nodes.ident(variables.iterVar);
  const step = nodes.call(MAP_INSERT, nodes.accumulator(), key, transformOf(input));
  return transformLoop(input, { ...variables, accuInit: nodes.map(), step });
}

function expandTransformMapEntry(input: MacroInput): Expr {
  const { nodes } = input;
  const variables = iterationVariables(input);
  const step = nodes.call(MAP_INSERT, nodes.accumulator(), transformOf(input));
  return transformLoop(input, { ...variables, accuInit: nodes.map(), step });
}

function transformOf(input: MacroInput): Expr {
  return input.argument(input.args.length - 1);
}

interface Transform {
  readonly iterVar: string;
  readonly iterVar2: string;
  readonly accuInit: Expr;
  readonly step: Expr;
}

function transformLoop(input: MacroInput, transform: Transform): Expr {
  const { nodes } = input;
  const filter = input.args.length === 4 ? input.argument(2) : undefined;
  const step = filter
    ? nodes.call(OPERATORS.conditional, filter, transform.step, nodes.accumulator())
    : transform.step;
  return nodes.comprehension({
    ...transform,
    range: input.target,
    accuVar: ACCUMULATOR,
    condition: nodes.literal(true),
    step,
    result: nodes.accumulator(),
  });
}

function iterationVariables(input: MacroInput) {
  const otherwise = "argument must be a simple name";
  const iterVar = input.variable(input.args[0], otherwise);
  const iterVar2 = input.variable(input.args[1], otherwise);
  if (iterVar === iterVar2) {
    throw new MacroError(input.args[1], `duplicate variable name: ${iterVar}`);
  }
  return { iterVar, iterVar2 };
}
