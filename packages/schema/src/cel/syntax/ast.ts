import type { Value } from "../values/value.ts";

/**
 * An expression after macro expansion, in the shape of cel-go, on which its cost is defined.
 * `Positions` has the offsets of nodes by id.
 */
export type Expr =
  | Literal
  | Ident
  | Select
  | Call
  | ListExpr
  | MapExpr
  | StructExpr
  | Comprehension;

interface Node<K extends string> {
  readonly kind: K;
  readonly id: number;
}

export interface Literal extends Node<"literal"> {
  readonly value: Value;
}

export interface Ident extends Node<"ident"> {
  readonly name: string;
}

export interface Select extends Node<"select"> {
  readonly operand: Expr;
  readonly field: string;
  /** True for the expansion of `has()`. */
  readonly testOnly: boolean;
}

export interface Call extends Node<"call"> {
  readonly fn: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node<"list"> {
  readonly elements: readonly Expr[];
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node<"map"> {
  readonly entries: readonly MapEntry[];
}

/** Parsed only to report its name: rules cannot create messages. */
interface StructExpr extends Node<"struct"> {
  readonly typeName: string;
}

export interface Comprehension extends Node<"comprehension"> {
  readonly range: Expr;
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Positions = ReadonlyMap<number, number>;

/** The accumulator of expanded macros; no user can write this name. */
export const ACCUMULATOR = "@result";

export const OPERATORS = {
  conditional: "_?_:_",
  and: "_&&_",
  or: "_||_",
  not: "!_",
  equals: "_==_",
  notEquals: "_!=_",
  add: "_+_",
  subtract: "_-_",
  multiply: "_*_",
  divide: "_/_",
  modulo: "_%_",
  negate: "-_",
  index: "_[_]",
  optIndex: "_[?_]",
  optSelect: "_?._",
  in: "@in",
  notStrictlyFalse: "@not_strictly_false",
} as const;

/** The child nodes in the order of evaluation. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
    case "struct":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case "comprehension":
      return [expr.range, expr.accuInit, expr.condition, expr.step, expr.result];
  }
}

/** `a.b.c` as one name. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}
