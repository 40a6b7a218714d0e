import type { CheckedExpr } from "../check/checked.ts";
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expr,
  type ListExpr,
  type MapExpr,
  type Select,
} from "../syntax/ast.ts";
import { type Bounds, either, fixed, NOTHING, plus, times, UNBOUNDED, UNKNOWN } from "./bounds.ts";
import {
  type CallEstimate,
  type CallOperands,
  kubernetesEstimate,
  standardEstimate,
} from "./call-estimate.ts";
import { joinEntries, KnownSizes, type SizeAt } from "./known-sizes.ts";

/** The bounds of an expression's cost, in the units of evaluation. */
export function estimateCost(checked: CheckedExpr, sizeAt: SizeAt): Bounds {
  return new Estimator(checked, sizeAt).cost(checked.expr);
}

const NO_ELEMENTS: Bounds = { min: UNBOUNDED, max: 0 };

class Estimator {
  readonly #checked: CheckedExpr;
  readonly #known: KnownSizes;

  constructor(checked: CheckedExpr, sizeAt: SizeAt) {
    this.#checked = checked;
    this.#known = new KnownSizes(checked, sizeAt);
  }

  cost(expr: Expr): Bounds {
    switch (expr.kind) {
      case "literal":
        return NOTHING;
      case "ident":
        this.#known.bind(expr);
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

  #select(expr: Select): Bounds {
    const name = this.#checked.names.get(expr.id);
    if (name !== undefined) {
      this.#known.setPath(expr, [name]);
      return fixed(1);
    }
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    const { kind } = this.#known.typeOf(expr.operand);
    this.#known.setPath(expr, [...this.#known.pathOf(expr.operand), expr.field]);
    const counted = kind === "map" || kind === "struct" || kind === "typeParam";
    return counted ? plus(operand, fixed(1)) : operand;
  }

  #dyn(expr: Call): Bounds {
    const [arg] = expr.args;
    if (!arg) return fixed(1);
    const cost = this.cost(arg);
    this.#known.copySizes(expr, arg);
    return plus(fixed(1), cost);
  }

  #call(expr: Call): Bounds {
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const resolved = this.#checked.calls.get(expr.id);
    if (!resolved) return NOTHING;
    const memberTarget = resolved.member ? expr.target : undefined;
    const targetCost = memberTarget ? this.cost(memberTarget) : NOTHING;
    const operands = {
      fn: resolved.fn,
      target: memberTarget && this.#known.operand(memberTarget),
      args: expr.args.map((arg) => this.#known.operand(arg)),
    };
    let total: Bounds = { min: UNBOUNDED, max: 0 };
    let result: Bounds | undefined;
    for (const overload of resolved.overloads) {
      const estimate = this.#overload(expr, { ...operands, overload }, argCosts);
      total = either(total, estimate.cost);
      if (estimate.result) result = result ? either(result, estimate.result) : estimate.result;
      result = this.#indexed(expr, overload, result) ?? result ?? this.#known.sizeOf(expr);
    }
    this.#known.setSize(expr, result);
    return plus(targetCost, total);
  }

  /** Sets the path of an indexed element, and returns its size. */
  #indexed(expr: Call, overload: string, result: Bounds | undefined): Bounds | undefined {
    const [container] = expr.args;
    const step = overload === "index_list" ? "@items" : overload === "index_map" ? "@values" : "";
    if (step === "" || !container) return result;
    this.#known.setPath(expr, [...this.#known.pathOf(container), step]);
    return this.#known.entriesOf(container)?.value;
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
    const entries = joinEntries(this.#known.entriesOf(whenTrue), this.#known.entriesOf(whenFalse));
    this.#known.setEntries(expr, entries);
    const result = either(
      this.#known.sizeOf(whenTrue) ?? UNKNOWN,
      this.#known.sizeOf(whenFalse) ?? UNKNOWN,
    );
    return { cost: plus(test, either(truthy, falsy)), result };
  }

  #concatenation(expr: Call, overload: string, args: Bounds): CallEstimate {
    const [left, right] = expr.args;
    if (!left || !right) return { cost: args };
    const result = plus(this.#known.sizeOf(left) ?? UNKNOWN, this.#known.sizeOf(right) ?? UNKNOWN);
    const entries = joinEntries(this.#known.entriesOf(left), this.#known.entriesOf(right));
    this.#known.setEntries(expr, entries);
    const own = overload === "add_list" ? fixed(1) : ceilTenth(result);
    return { cost: plus(own, args), result };
  }

  #list(expr: ListExpr): Bounds {
    let value = expr.elements.length === 0 ? NOTHING : NO_ELEMENTS;
    const costs = expr.elements.map((element) => {
      const cost = this.cost(element);
      value = either(value, this.#known.sizeOf(element) ?? UNKNOWN);
      return cost;
    });
    this.#known.setEntries(expr, { container: "list", key: fixed(1), value });
    return plus(...costs, fixed(10));
  }

  #map(expr: MapExpr): Bounds {
    let key = expr.entries.length === 0 ? NOTHING : NO_ELEMENTS;
    let value = key;
    const costs = expr.entries.flatMap((entry) => {
      const pair = [this.cost(entry.key), this.cost(entry.value)];
      key = either(key, this.#known.sizeOf(entry.key) ?? UNKNOWN);
      value = either(value, this.#known.sizeOf(entry.value) ?? UNKNOWN);
      return pair;
    });
    this.#known.setEntries(expr, { container: "map", key, value });
    return plus(...costs, fixed(30));
  }

  #comprehension(expr: Comprehension): Bounds {
    const setup = plus(this.cost(expr.range), this.cost(expr.accuInit));
    this.#known.pushAccumulator(expr);
    this.#known.pushIterationVariables(expr);
    const iteration = plus(this.cost(expr.condition), this.cost(expr.step));
    this.#known.pop(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#known.pop(expr.iterVar2);
    const result = this.cost(expr.result);
    this.#known.pop(expr.accuVar);
    const count = this.#known.sizeOf(expr.range) ?? UNKNOWN;
    this.#rememberResult(expr, count);
    return plus(setup, result, times(count, iteration));
  }

  #rememberResult(expr: Comprehension, count: Bounds): void {
    if (expr.accuInit.kind === "literal") {
      const size = this.#known.sizeOf(expr.accuInit);
      this.#known.setSize(expr, size);
    } else if (expr.accuInit.kind === "list" || expr.accuInit.kind === "map") {
      this.#known.setSize(expr, count);
      const entries = this.#known.entriesOf(expr.step);
      this.#known.setEntries(expr, entries);
    }
  }

  /** `optMap` binds a variable by a comprehension over nothing. */
  #binding(expr: Comprehension): Bounds {
    const setup = plus(this.cost(expr.range), this.cost(expr.accuInit));
    this.#known.pushAccumulator(expr);
    const result = this.cost(expr.result);
    this.#known.pop(expr.accuVar);
    this.#known.copySizes(expr, expr.result);
    return plus(setup, result);
  }
}

function ceilTenth(size: Bounds): Bounds {
  const tenth = (value: number): number => Math.min(Math.ceil(value * 0.1), UNBOUNDED);
  return { min: tenth(size.min), max: tenth(size.max) };
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
