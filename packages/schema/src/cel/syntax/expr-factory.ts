import type { Value } from "../values/value.ts";
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expr,
  type Ident,
  type ListExpr,
  type Literal,
  type MapEntry,
  type MapExpr,
  type Positions,
  type Select,
} from "./ast.ts";

export type ComprehensionParts = Omit<Comprehension, "kind" | "id" | "iterVar2"> & {
  readonly iterVar2?: string;
};

/** Nested macros that copy their receiver grow exponentially. */
export class ExpressionTooLarge extends Error {}

const MAX_NODES = 100_000;

/** Creates nodes with new ids and records their offsets. Throws ExpressionTooLarge. */
export class ExprFactory {
  readonly #positions = new Map<number, number>();

  get positions(): Positions {
    return this.#positions;
  }

  id(offset: number): number {
    const id = this.#positions.size + 1;
    if (id > MAX_NODES)
      throw new ExpressionTooLarge(`expression node limit exceeded: ${MAX_NODES}`);
    this.#positions.set(id, offset);
    return id;
  }

  offset(id: number): number {
    return this.#positions.get(id) ?? 0;
  }

  /** Creates nodes at one offset, as those of an expanded macro. */
  at(offset: number): NodesAt {
    return new NodesAt(this, offset);
  }
}

export class NodesAt {
  readonly #factory: ExprFactory;
  readonly #offset: number;

  constructor(factory: ExprFactory, offset: number) {
    this.#factory = factory;
    this.#offset = offset;
  }

  #id(): number {
    return this.#factory.id(this.#offset);
  }

  literal(value: Value): Literal {
    return { kind: "literal", id: this.#id(), value };
  }

  ident(name: string): Ident {
    return { kind: "ident", id: this.#id(), name };
  }

  accumulator(): Ident {
    return this.ident(ACCUMULATOR);
  }

  select(operand: Expr, field: string, testOnly = false): Select {
    return { kind: "select", id: this.#id(), operand, field, testOnly };
  }

  call(fn: string, ...args: readonly Expr[]): Call {
    return { kind: "call", id: this.#id(), fn, target: undefined, args };
  }

  memberCall(fn: string, target: Expr, args: readonly Expr[] = []): Call {
    return { kind: "call", id: this.#id(), fn, target, args };
  }

  list(elements: readonly Expr[] = [], optionals: ReadonlySet<number> = new Set()): ListExpr {
    return { kind: "list", id: this.#id(), elements, optionals };
  }

  map(entries: readonly MapEntry[] = []): MapExpr {
    return { kind: "map", id: this.#id(), entries };
  }

  comprehension(parts: ComprehensionParts): Comprehension {
    return { iterVar2: undefined, ...parts, kind: "comprehension", id: this.#id() };
  }

  /** The same tree with new ids. */
  copy(expr: Expr): Expr {
    const id = this.#factory.id(this.#factory.offset(expr.id));
    switch (expr.kind) {
      case "literal":
      case "ident":
      case "struct":
        return { ...expr, id };
      case "select":
        return { ...expr, id, operand: this.copy(expr.operand) };
      case "call":
        return {
          ...expr,
          id,
          target: expr.target && this.copy(expr.target),
          args: this.#copies(expr.args),
        };
      case "list":
        return { ...expr, id, elements: this.#copies(expr.elements) };
      case "map":
        return { ...expr, id, entries: expr.entries.map((entry) => this.#copyEntry(entry)) };
      case "comprehension":
        return this.#copyComprehension(expr, id);
    }
  }

  #copies(exprs: readonly Expr[]): readonly Expr[] {
    return exprs.map((expr) => this.copy(expr));
  }

  #copyEntry(entry: MapEntry): MapEntry {
    return { ...entry, key: this.copy(entry.key), value: this.copy(entry.value) };
  }

  #copyComprehension(expr: Comprehension, id: number): Comprehension {
    return {
      ...expr,
      id,
      range: this.copy(expr.range),
      accuInit: this.copy(expr.accuInit),
      condition: this.copy(expr.condition),
      step: this.copy(expr.step),
      result: this.copy(expr.result),
    };
  }
}
