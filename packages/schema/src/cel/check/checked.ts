import type { CelType } from "../cel-type.ts";
import type { Expr, Positions } from "../syntax/ast.ts";

/** The full name of the called function and the overloads that match the arguments. */
export interface ResolvedCall {
  readonly fn: string;
  readonly overloads: readonly string[];
  /** False for `optional.of(x)` too, where `optional` is a namespace. */
  readonly member: boolean;
}

/** A checked expression, with types and resolved calls by node id. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly positions: Positions;
  readonly types: ReadonlyMap<number, CelType>;
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  /** Full names of identifiers, and of selections such as `net.IP` that are one name. */
  readonly names: ReadonlyMap<number, string>;
}

export interface Declarations {
  /** The type of a variable; for the name of a type, that type. */
  identifier(name: string): CelType | undefined;
  /** Undefined for an unknown field. */
  field(object: CelType, name: string): CelType | undefined;
}
