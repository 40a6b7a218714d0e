import { type CelType, DYN, isOptional } from "../cel-type.ts";
import type { CheckedExpr } from "../check/checked.ts";
import type { Comprehension, Expr, Ident } from "../syntax/ast.ts";
import { sizeOf } from "../values/value.ts";
import { type Bounds, either, fixed } from "./bounds.ts";
import type { Operand } from "./call-estimate.ts";

/** The size of the data at a path; undefined where unknown. */
export type SizeAt = (path: readonly string[]) => Bounds | undefined;

export interface EntrySizes {
  readonly container: "list" | "map";
  readonly key: Bounds;
  readonly value: Bounds;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Bounds | undefined;
  readonly entries: EntrySizes | undefined;
}

/** The known paths and sizes of nodes during cost estimation. */
export class KnownSizes {
  readonly #checked: CheckedExpr;
  readonly #sizeAt: SizeAt;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Bounds>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: CheckedExpr, sizeAt: SizeAt) {
    this.#checked = checked;
    this.#sizeAt = sizeAt;
  }

  /** Records the meaning of a name in the current scope. */
  bind(expr: Ident): void {
    this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
  }

  setPath(expr: Expr, path: readonly string[]): void {
    this.#paths.set(expr.id, path);
  }

  setSize(expr: Expr, size: Bounds | undefined): void {
    if (size) this.#sizes.set(expr.id, size);
  }

  setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries) this.#entries.set(expr.id, entries);
  }

  typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr.id) ?? DYN;
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === "ident" ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  copySizes(to: Expr, from: Expr): void {
    const size = this.sizeOf(from);
    const entries = this.entriesOf(from);
    if (size) this.#sizes.set(to.id, size);
    if (entries) this.#entries.set(to.id, entries);
  }

  operand(expr: Expr): Operand {
    const path = this.pathOf(expr);
    const elementSize = path.length > 0 ? this.#sizeAt([...path, "@items"]) : undefined;
    return { expr, type: this.typeOf(expr), size: this.sizeOf(expr), elementSize };
  }

  /** Pushes the accumulator with the size of its initial value. */
  pushAccumulator({ accuVar, accuInit: init }: Comprehension): void {
    const entries = this.entriesOf(init);
    this.#push(accuVar, { path: this.pathOf(init), size: this.sizeOf(init), entries });
  }

  pushIterationVariables(expr: Comprehension): void {
    const entries = this.entriesOf(expr.range);
    const path = this.pathOf(expr.range);
    const isList = (entries?.container ?? this.typeOf(expr.range).kind) === "list";
    const push = (name: string, step: string, size: Bounds | undefined): void =>
      this.#push(name, { path: [...path, step], size, entries: undefined });
    if (expr.iterVar2 === undefined) {
      if (isList) push(expr.iterVar, "@items", entries?.value);
      else push(expr.iterVar, "@keys", entries?.key);
      return;
    }
    push(expr.iterVar, isList ? "@indices" : "@keys", entries?.key);
    push(expr.iterVar2, isList ? "@items" : "@values", entries?.value);
  }

  #push(name: string, variable: LocalVariable): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), variable]);
  }

  pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  sizeOf(expr: Expr): Bounds | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const path = this.pathOf(expr);
    const located = path.length > 0 ? this.#sizeAt(path) : undefined;
    if (located) {
      this.#sizes.set(expr.id, located);
      return located;
    }
    if (isScalar(this.typeOf(expr))) return fixed(1);
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  entriesOf(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr.id);
    if (known) return known;
    return expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined;
  }
}

export function joinEntries(
  a: EntrySizes | undefined,
  b: EntrySizes | undefined,
): EntrySizes | undefined {
  if (!a || !b) return undefined;
  return { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) };
}

function literalSize(expr: Expr): Bounds | undefined {
  if (expr.kind === "list") return fixed(expr.elements.length);
  if (expr.kind === "map") return fixed(expr.entries.length);
  return expr.kind === "literal" ? fixed(sizeOf(expr.value) ?? 1) : undefined;
}

function isScalar(type: CelType): boolean {
  if (isOptional(type)) return isScalar(type.param(0));
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
