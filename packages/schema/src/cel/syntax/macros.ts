import { ACCUMULATOR, type Expr, OPERATORS } from "./ast.ts";
import type { NodesAt } from "./expr-factory.ts";
import {
  MacroError,
  type MacroExpander,
  type MacroInput,
  type Quantifier,
  quantifierLoop,
} from "./macro-input.ts";

/** Inserts into the accumulator of `transformMap`; no user can write this name. */
export const MAP_INSERT = "cel.@mapInsert";

/** By name, number of arguments and whether the macro has a receiver. */
export const MACROS: ReadonlyMap<string, MacroExpander> = new Map([
  ["has:1:global", expandHas],
  ["all:2:member", (input) => expandQuantifier(input, "all")],
  ["all:3:member", (input) => expandQuantifier(input, "all")],
  ["exists:2:member", (input) => expandQuantifier(input, "exists")],
  ["exists:3:member", (input) => expandQuantifier(input, "exists")],
  ["exists_one:2:member", (input) => expandQuantifier(input, "exists_one")],
  ["exists_one:3:member", (input) => expandQuantifier(input, "exists_one")],
  ["existsOne:3:member", (input) => expandQuantifier(input, "exists_one")],
  ["map:2:member", expandMap],
  ["map:3:member", expandMap],
  ["filter:2:member", expandFilter],
  ["optMap:2:member", expandOptMap],
  ["optFlatMap:2:member", expandOptFlatMap],
  ["transformList:3:member", expandTransformList],
  ["transformList:4:member", expandTransformList],
  ["transformMap:3:member", expandTransformMap],
  ["transformMap:4:member", expandTransformMap],
  ["transformMapEntry:3:member", expandTransformMapEntry],
  ["transformMapEntry:4:member", expandTransformMapEntry],
] satisfies (readonly [string, MacroExpander])[]);

function expandHas({ nodes, args }: MacroInput): Expr {
  const [argument] = args;
  if (argument?.kind !== "select")
    throw new MacroError(argument, "invalid argument to has() macro");
  return nodes.select(argument.operand, argument.field, true);
}

function expandQuantifier(input: MacroInput, quantifier: Quantifier): Expr {
  const { nodes, args, target } = input;
  const variables = args.length === 3 ? twoVariables(input) : { iterVar: simpleName(input, 0) };
  const loop = quantifierLoop(nodes, quantifier, lastArgument(input));
  return nodes.comprehension({ range: target, ...variables, accuVar: ACCUMULATOR, ...loop });
}

function simpleName(input: MacroInput, index: number): string {
  return input.variable(input.args[index], "argument must be a simple name");
}

function twoVariables(input: MacroInput) {
  const iterVar = simpleName(input, 0);
  const iterVar2 = simpleName(input, 1);
  if (iterVar === iterVar2) {
    throw new MacroError(input.args[1], `duplicate variable name: ${iterVar}`);
  }
  return { iterVar, iterVar2 };
}

function lastArgument(input: MacroInput): Expr {
  return input.argument(input.args.length - 1);
}

function expandMap(input: MacroInput): Expr {
  const iterVar = input.variable(input.args[0], "argument is not an identifier");
  const filter = input.args.length === 3 ? input.argument(1) : undefined;
  return expandLoop(input, { iterVar, filter, ...appending(input.nodes, lastArgument(input)) });
}

function expandFilter(input: MacroInput): Expr {
  const iterVar = input.variable(input.args[0], "argument is not an identifier");
  const filter = input.argument(1);
  return expandLoop(input, { iterVar, filter, ...appending(input.nodes, input.argument(0)) });
}

function expandTransformList(input: MacroInput): Expr {
  return expandTransform(input, appending(input.nodes, lastArgument(input)));
}

function expandTransformMap(input: MacroInput): Expr {
  const { nodes } = input;
  const key = nodes.ident(twoVariables(input).iterVar);
  const step = nodes.call(MAP_INSERT, nodes.accumulator(), key, lastArgument(input));
  return expandTransform(input, { accuInit: nodes.map(), step });
}

function expandTransformMapEntry(input: MacroInput): Expr {
  const { nodes } = input;
  const step = nodes.call(MAP_INSERT, nodes.accumulator(), lastArgument(input));
  return expandTransform(input, { accuInit: nodes.map(), step });
}

interface Accumulation {
  readonly accuInit: Expr;
  readonly step: Expr;
}

/** Builds a list, to which each step appends an element. */
function appending(nodes: NodesAt, element: Expr): Accumulation {
  const step = nodes.call(OPERATORS.add, nodes.accumulator(), nodes.list([element]));
  return { accuInit: nodes.list(), step };
}

function expandTransform(input: MacroInput, accumulation: Accumulation): Expr {
  const filter = input.args.length === 4 ? input.argument(2) : undefined;
  return expandLoop(input, { ...twoVariables(input), filter, ...accumulation });
}

interface Loop extends Accumulation {
  readonly iterVar: string;
  readonly iterVar2?: string;
  readonly filter: Expr | undefined;
}

function expandLoop({ nodes, target }: MacroInput, { filter, step, ...loop }: Loop): Expr {
  return nodes.comprehension({
    ...loop,
    range: target,
    accuVar: ACCUMULATOR,
    condition: nodes.literal(true),
    step: filter ? nodes.call(OPERATORS.conditional, filter, step, nodes.accumulator()) : step,
    result: nodes.accumulator(),
  });
}

function expandOptMap(input: MacroInput): Expr {
  const { nodes } = input;
  return ifPresent(input, nodes.call("optional.of", bindValue(input, "optMap")));
}

function expandOptFlatMap(input: MacroInput): Expr {
  return ifPresent(input, bindValue(input, "optFlatMap"));
}

function ifPresent({ nodes, target }: MacroInput, present: Expr): Expr {
  return nodes.call(
    OPERATORS.conditional,
    nodes.memberCall("hasValue", target),
    present,
    nodes.call("optional.none"),
  );
}

/** A comprehension over nothing, whose accumulator is the variable of the macro. */
function bindValue(input: MacroInput, macro: string): Expr {
  const { nodes, target } = input;
  const [variable] = input.args;
  if (variable?.kind !== "ident") {
    throw new MacroError(variable, `${macro}() variable name must be a simple identifier`);
  }
  return nodes.comprehension({
    range: nodes.list(),
    iterVar: "#unused",
    accuVar: variable.name,
    accuInit: nodes.memberCall("value", nodes.copy(target)),
    condition: nodes.literal(false),
    step: nodes.ident(variable.name),
    result: input.argument(1),
  });
}
