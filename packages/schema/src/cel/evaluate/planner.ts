import type { CheckedExpr } from "../check/checked.ts";
import { runtimeType } from "../check/type-names.ts";
import {
  type Call,
  type Comprehension,
  type Expr,
  type ListExpr,
  type MapExpr,
  OPERATORS,
  type Select,
} from "../syntax/ast.ts";
import { CelError } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { ValueMap } from "../values/value-map.ts";
import { buildList, buildMap, charged, LIST_COST, MAP_COST } from "./aggregates.ts";
import { fold } from "./fold.ts";
import { planFunction } from "./function-call.ts";
import { conditional, equality, logical, notStrictlyFalse, optionalOr } from "./logic.ts";
import {
  absent,
  constant,
  constantsOf,
  indexed,
  type Plan,
  PlanError,
  reach,
  reached,
  stepsOf,
} from "./plan.ts";
import type { Step } from "./scope.ts";

export function plan(checked: CheckedExpr): Step {
  return new Planner(checked).plan(checked.expr).evaluate;
}

class Planner {
  readonly #checked: CheckedExpr;

  constructor(checked: CheckedExpr) {
    this.#checked = checked;
  }

  plan(expr: Expr): Plan {
    const name = this.#checked.names.get(expr.id);
    if (name !== undefined) return this.#name(expr, name);
    switch (expr.kind) {
      case "literal":
        return constant(expr.value);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "comprehension":
        return this.#comprehension(expr);
      default:
        throw new PlanError(`unsupported expr: ${expr.kind}`);
    }
  }

  #name(expr: Expr, name: string): Plan {
    const type = this.#checked.types.get(expr.id)?.kind === "type" ? runtimeType(name) : undefined;
    if (type) return constant(type);
    return reached((scope) => {
      const value = scope.find(name);
      // A variable may be declared without a value.
      return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
    });
  }

  #steps(exprs: readonly Expr[]): readonly Step[] {
    return exprs.map((expr) => this.plan(expr).evaluate);
  }

  #select(expr: Select): Plan {
    const key = () => expr.field;
    return reach(this.plan(expr.operand), { key, optional: false, testOnly: expr.testOnly });
  }

  #call(expr: Call): Plan {
    const resolved = this.#checked.calls.get(expr.id);
    if (!resolved) throw new PlanError(`unresolved call: ${expr.fn}`);
    const target = resolved.member && expr.target ? [expr.target] : [];
    const args = [...target, ...expr.args].map((arg) => this.plan(arg));
    const [first, second, third] = args;
    switch (resolved.fn) {
      case OPERATORS.and:
        return { evaluate: logical(stepsOf(args), false) };
      case OPERATORS.or:
        return { evaluate: logical(stepsOf(args), true) };
      case OPERATORS.notStrictlyFalse:
        return { evaluate: notStrictlyFalse(first) };
      case OPERATORS.conditional:
        return conditional(first, second, third);
      case OPERATORS.equals:
        return { evaluate: equality(args, resolved.fn, true) };
      case OPERATORS.notEquals:
        return { evaluate: equality(args, resolved.fn, false) };
      case OPERATORS.index:
        return indexed(first, second, false);
      case OPERATORS.optIndex:
      case OPERATORS.optSelect:
        return indexed(first, second, true);
      case "or":
        return { evaluate: optionalOr(first, second, (optional) => optional) };
      case "orValue":
        return { evaluate: optionalOr(first, second, ({ value }) => value ?? null) };
      default:
        return planFunction(resolved, args);
    }
  }

  #list(expr: ListExpr): Plan {
    const elements = expr.elements.map((element) => this.plan(element));
    const known = constantsOf(elements);
    if (known && expr.optionals.size === 0) return constant(new ValueList(known));
    const steps = stepsOf(elements);
    return { evaluate: charged(LIST_COST, (scope) => buildList(steps, expr.optionals, scope)) };
  }

  #map(expr: MapExpr): Plan {
    const keys = expr.entries.map(({ key }) => this.plan(key));
    const values = expr.entries.map(({ value }) => this.plan(value));
    const [knownKeys, knownValues] = [constantsOf(keys), constantsOf(values)];
    if (knownKeys && knownValues) {
      return constant(new ValueMap(knownKeys.map((key, i) => [key, knownValues[i] ?? null])));
    }
    const entries = expr.entries.map(({ optional }, i) => ({
      key: keys[i]?.evaluate ?? absent,
      value: values[i]?.evaluate ?? absent,
      optional,
    }));
    return { evaluate: charged(MAP_COST, (scope) => buildMap(entries, scope)) };
  }

  #comprehension(expr: Comprehension): Plan {
    const [range = absent, init = absent, condition = absent, step = absent, result = absent] =
      this.#steps([expr.range, expr.accuInit, expr.condition, expr.step, expr.result]);
    return { evaluate: fold(expr, { range, init, condition, step, result }) };
  }
}
