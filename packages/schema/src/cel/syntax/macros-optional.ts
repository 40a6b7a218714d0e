import { type Expr, OPERATORS } from "./ast.ts";
import { MacroError, type MacroExpander, type MacroInput } from "./macro-input.ts";

/** The macros on optional values. */
export const OPTIONAL_MACROS: readonly (readonly [string, MacroExpander])[] = [
  ["optMap:2:member", expandOptMap],
  ["optFlatMap:2:member", expandOptFlatMap],
];

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

/** A comprehension over nothing: its accumulator is the variable that the macro binds. */
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
