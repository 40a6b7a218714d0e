import type { CelType } from "../cel-type.ts";
import type { Expr, Positions } from "../syntax/ast.ts";

/** What a call means: the function's full name and the overloads that its arguments match. */
export interface ResolvedCall {
  readonly fn: string;
  readonly overloads: readonly string[];
  /** False for `optional.of(x)` too, which is written like a member of `optional`. */
  readonly member: boolean;
}

/** An expression with the types and meanings of its parts, by the ids of the nodes. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly positions: Positions;
  readonly types: ReadonlyMap<number, CelType>;
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  /** Identifiers, and selections such as `net.IP` that are one name; with their full names. */
  readonly names: ReadonlyMap<number, string>;
}

/** The names and types that an expression can refer to. */
export interface Declarations {
  /** The type of a variable or, for the name of a type, its type. */
  identifier(name: string): CelType | undefined;
  /** The type of a field; undefined where the object has none of that name. */
  field(object: CelType, name: string): CelType | undefined;
}
