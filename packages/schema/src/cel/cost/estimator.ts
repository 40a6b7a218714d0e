import { type CelType, DYN, isOptional } from "../check/cel-type.ts";
import type { CheckedExpr } from "../check/checked.ts";
import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select } from "../syntax/ast.ts";
import { ACCUMULATOR } from "../syntax/ast.ts";
import { sizeOf } from "../values/value.ts";
import { type Bounds, either, fixed, NOTHING, plus, times, UNBOUNDED, UNKNOWN } from "./bounds.ts";
import {
  type CallEstimate,
  type CallOperands,
  kubernetesEstimate,
  type Operand,
  standardEstimate,
} from "./call-estimate.ts";

/** The size of what a path of field names leads to; undefined where it is not known. */
export type SizeAt = (path: readonly string[]) => Bounds | undefined;

/** The least and most that an expression can cost, in the units that its evaluation is billed in. */
export function estimateCost(checked: CheckedExpr, sizeAt: SizeAt): Bounds {
  return new Estimator(checked, sizeAt).cost(checked.expr);
}

interface EntrySizes {
  readonly container: "list" | "map";
  readonly key: Bounds;
  readonly value: Bounds;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Bounds | undefined;
  readonly entries: EntrySizes | undefined;
}

const NO_ELEMENTS: Bounds = { min: UNBOUNDED, max: 0 };

class Estimator {
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

  cost(expr: Expr): Bounds {
    switch (expr.kind) {
      case "literal":
        return NOTHING;
      case "ident":
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
        return fixed(1);
      case "select":
        return this.#select(expr);
      case "call":
        return expr.fn === "dyn" ? this.#dyn(expr) : this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return fixed(40);
      case "comprehension":
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr.id) ?? DYN;
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === "ident" ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #select(expr: Select): Bounds {
    const name = this.#checked.names.get(expr.id);
    if (name !== undefined) {
      this.#paths.set(expr.id, [name]);
      return fixed(1);
    }
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    const { kind } = this.#typeOf(expr.operand);
    this.#paths.set(expr.id, [...this.#pathOf(expr.operand), expr.field]);
    const counted = kind === "map" || kind === "struct" || kind === "typeParam";
    return counted ? plus(operand, fixed(1)) : operand;
  }

  #dyn(expr: Call): Bounds {
    const [arg] = expr.args;
    if (!arg) return fixed(1);
    const cost = this.cost(arg);
    this.#copySizes(expr, arg);
    return plus(fixed(1), cost);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from);
    const entries = this.#entriesOf(from);
    if (size) this.#sizes.set(to.id, size);
    if (entries) this.#entries.set(to.id, entries);
  }

  #call(expr: Call): Bounds {
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const resolved = this.#checked.calls.get(expr.id);
    if (!resolved) return NOTHING;
    const memberTarget = resolved.member ? expr.target : undefined;
    const targetCost = memberTarget ? this.cost(memberTarget) : NOTHING;
    const operands = {
      fn: resolved.fn,
      target: memberTarget && this.#operand(memberTarget),
      args: expr.args.map((arg) => this.#operand(arg)),
    };
    let total: Bounds = { min: UNBOUNDED, max: 0 };
    let result: Bounds | undefined;
    for (const overload of resolved.overloads) {
      const estimate = this.#overload(expr, { ...operands, overload }, argCosts);
      total = either(total, estimate.cost);
      if (estimate.result) result = result ? either(result, estimate.result) : estimate.result;
      result = this.#indexed(expr, overload, result) ?? result ?? this.#sizeOf(expr);
    }
    if (result) this.#sizes.set(expr.id, result);
    return plus(targetCost, total);
  }

  /** Where an index leads to, and how large what stands there is. */
  #indexed(expr: Call, overload: string, result: Bounds | undefined): Bounds | undefined {
    const [container] = expr.args;
    const step = overload === "index_list" ? "@items" : overload === "index_map" ? "@values" : "";
    if (step === "" || !container) return result;
    this.#paths.set(expr.id, [...this.#pathOf(container), step]);
    return this.#entriesOf(container)?.value;
  }

  #operand(expr: Expr): Operand {
    const path = this.#pathOf(expr);
    const elementSize = path.length > 0 ? this.#sizeAt([...path, "@items"]) : undefined;
    return { expr, type: this.#typeOf(expr), size: this.#sizeOf(expr), elementSize };
  }

  #overload(expr: Call, call: CallOperands, argCosts: readonly Bounds[]): CallEstimate {
    const args = plus(...argCosts);
    const kubernetes = kubernetesEstimate(call);
    if (kubernetes) return { ...kubernetes, cost: plus(kubernetes.cost, args) };
    switch (call.overload) {
      case "logical_or":
      case "logical_and":
        return { cost: { min: argCosts[0]?.min ?? 0, max: args.max } };
      case "conditional":
        return this.#conditional(expr, argCosts);
      case "add_string":
      case "add_bytes":
      case "add_list":
        return this.#concatenation(expr, call.overload, args);
      default: {
        const standard = standardEstimate(call);
        return { ...standard, cost: plus(standard.cost, args) };
      }
    }
  }

  #conditional(expr: Call, argCosts: readonly Bounds[]): CallEstimate {
    const [test = NOTHING, truthy = NOTHING, falsy = NOTHING] = argCosts;
    const [, whenTrue, whenFalse] = expr.args;
    if (!whenTrue || !whenFalse) return { cost: test };
    const entries = joinEntries(this.#entriesOf(whenTrue), this.#entriesOf(whenFalse));
    if (entries) this.#entries.set(expr.id, entries);
    const result = either(this.#sizeOf(whenTrue) ?? UNKNOWN, this.#sizeOf(whenFalse) ?? UNKNOWN);
    return { cost: plus(test, either(truthy, falsy)), result };
  }

  #concatenation(expr: Call, overload: string, args: Bounds): CallEstimate {
    const [left, right] = expr.args;
    if (!left || !right) return { cost: args };
    const result = plus(this.#sizeOf(left) ?? UNKNOWN, this.#sizeOf(right) ?? UNKNOWN);
    const entries = joinEntries(this.#entriesOf(left), this.#entriesOf(right));
    if (entries) this.#entries.set(expr.id, entries);
    const own = overload === "add_list" ? fixed(1) : ceilTenth(result);
    return { cost: plus(own, args), result };
  }

  #list(expr: ListExpr): Bounds {
    let value = expr.elements.length === 0 ? NOTHING : NO_ELEMENTS;
    const costs = expr.elements.map((element) => {
      const cost = this.cost(element);
      value = either(value, this.#sizeOf(element) ?? UNKNOWN);
      return cost;
    });
    this.#entries.set(expr.id, { container: "list", key: fixed(1), value });
    return plus(...costs, fixed(10));
  }

  #map(expr: MapExpr): Bounds {
    let key = expr.entries.length === 0 ? NOTHING : NO_ELEMENTS;
    let value = key;
    const costs = expr.entries.flatMap((entry) => {
      const pair = [this.cost(entry.key), this.cost(entry.value)];
      key = either(key, this.#sizeOf(entry.key) ?? UNKNOWN);
      value = either(value, this.#sizeOf(entry.value) ?? UNKNOWN);
      return pair;
    });
    this.#entries.set(expr.id, { container: "map", key, value });
    return plus(...costs, fixed(30));
  }

  #comprehension(expr: Comprehension): Bounds {
    const setup = plus(this.cost(expr.range), this.cost(expr.accuInit));
    this.#push(expr.accuVar, this.#variable(expr.accuInit));
    this.#pushIterationVariables(expr);
    const iteration = plus(this.cost(expr.condition), this.cost(expr.step));
    this.#pop(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#pop(expr.iterVar2);
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    const count = this.#sizeOf(expr.range) ?? UNKNOWN;
    this.#rememberResult(expr, count);
    return plus(setup, result, times(count, iteration));
  }

  #rememberResult(expr: Comprehension, count: Bounds): void {
    if (expr.accuInit.kind === "literal") {
      const size = this.#sizeOf(expr.accuInit);
      if (size) this.#sizes.set(expr.id, size);
    } else if (expr.accuInit.kind === "list" || expr.accuInit.kind === "map") {
      this.#sizes.set(expr.id, count);
      const entries = this.#entriesOf(expr.step);
      if (entries) this.#entries.set(expr.id, entries);
    }
  }

  /** `optMap` binds a variable by a comprehension over nothing. */
  #binding(expr: Comprehension): Bounds {
    const setup = plus(this.cost(expr.range), this.cost(expr.accuInit));
    this.#push(expr.accuVar, this.#variable(expr.accuInit));
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    this.#copySizes(expr, expr.result);
    return plus(setup, result);
  }

  #variable(expr: Expr): LocalVariable {
    return { path: this.#pathOf(expr), size: this.#sizeOf(expr), entries: this.#entriesOf(expr) };
  }

  #pushIterationVariables(expr: Comprehension): void {
    const entries = this.#entriesOf(expr.range);
    const path = this.#pathOf(expr.range);
    const isList = (entries?.container ?? this.#typeOf(expr.range).kind) === "list";
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

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #sizeOf(expr: Expr): Bounds | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const path = this.#pathOf(expr);
    const located = path.length > 0 ? this.#sizeAt(path) : undefined;
    if (located) {
      this.#sizes.set(expr.id, located);
      return located;
    }
    if (isScalar(this.#typeOf(expr))) return fixed(1);
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr.id);
    if (known) return known;
    return expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined;
  }
}

function ceilTenth(size: Bounds): Bounds {
  const tenth = (value: number): number => Math.min(Math.ceil(value * 0.1), UNBOUNDED);
  return { min: tenth(size.min), max: tenth(size.max) };
}

function joinEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
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

function isBinding({ range, condition, accuVar }: Comprehension): boolean {
  const overNothing = range.kind === "list" && range.elements.length === 0;
  return (
    overNothing &&
    condition.kind === "literal" &&
    condition.value === false &&
    accuVar !== ACCUMULATOR
  );
}
