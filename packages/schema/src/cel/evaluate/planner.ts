import type { CheckedExpr, ResolvedCall } from "../check/checked.ts";
import { runtimeType } from "../check/type-names.ts";
import { callCost } from "../cost/call-cost.ts";
import { Meter } from "../cost/meter.ts";
import { CONVERSION_NAMES } from "../functions/conversions.ts";
import { FUNCTIONS } from "../functions/library.ts";
import { compilePattern } from "../functions/pattern.ts";
import {
  type Call,
  type Comprehension,
  type Expr,
  type ListExpr,
  type MapExpr,
  OPERATORS,
  type Select,
} from "../syntax/ast.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { equal } from "../values/equality.ts";
import { Optional } from "../values/optional.ts";
import { showValue } from "../values/show.ts";
import type { Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { ValueMap } from "../values/value-map.ts";
import { implementationOf } from "./dispatch.ts";
import { fold } from "./fold.ts";
import { constantMembership } from "./membership.ts";
import { type Access, qualify } from "./qualify.ts";
import { RootScope, type Scope, type Step } from "./scope.ts";

/** A program can't be made of an expression, although its types are right. */
export class PlanError extends Error {}

/** How a node is evaluated. */
interface Plan {
  readonly evaluate: Step;
  /** Set where the value is known beforehand; it costs nothing then. */
  readonly constant?: Value;
  /** Set on variables and what is reached from them: the value without the cost of the variable. */
  readonly resolve?: Step;
  /** Set on conditions: what is reached from them costs only its qualifiers. */
  readonly free?: true;
}

/** Turns a checked expression into a function of its variables. */
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
    return reached((scope) => scope.find(name) ?? new CelError(`no such attribute(s): ${name}`));
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

const absent: Step = () => NO_SUCH_OVERLOAD;

function constant(value: Value): Plan {
  return { evaluate: () => value, constant: value };
}

function stepsOf(plans: readonly Plan[]): readonly Step[] {
  return plans.map(({ evaluate }) => evaluate);
}

function constantsOf(plans: readonly Plan[]): readonly Value[] | undefined {
  const values = plans.flatMap((each) => (each.constant === undefined ? [] : [each.constant]));
  return values.length === plans.length ? values : undefined;
}

/** A variable, or what is reached from one, costs one unit on top of its qualifiers. */
function reached(resolve: Step): Plan {
  return {
    resolve,
    evaluate: (scope) => {
      const value = resolve(scope);
      scope.meter.charge(1);
      return value;
    },
  };
}

function reach(operand: Plan, access: Access): Plan {
  const base = operand.resolve ?? operand.evaluate;
  const resolve: Step = (scope) => qualify(base(scope), access, scope);
  if (operand.free) return { evaluate: resolve, resolve, free: true };
  if (!access.testOnly) return reached(resolve);
  const test: Step = (scope) => {
    const present = resolve(scope);
    return present instanceof Optional ? present.hasValue : present;
  };
  return { evaluate: test, resolve: test };
}

function indexed(operand: Plan | undefined, index: Plan | undefined, optional: boolean): Plan {
  if (!operand || !index) throw new PlanError("an index needs two operands");
  const key = index.resolve ?? index.evaluate;
  return reach(operand, { key, optional, testOnly: false });
}

function conditional(test?: Plan, truthy?: Plan, falsy?: Plan): Plan {
  if (!test || !truthy || !falsy) throw new PlanError("a condition needs three operands");
  const whenTrue = truthy.resolve ?? truthy.evaluate;
  const whenFalse = falsy.resolve ?? falsy.evaluate;
  const resolve: Step = (scope) => {
    const decision = test.evaluate(scope);
    if (typeof decision === "boolean") return decision ? whenTrue(scope) : whenFalse(scope);
    return decision instanceof CelError ? decision : NO_SUCH_OVERLOAD;
  };
  return { evaluate: resolve, resolve, free: true };
}

/** `&&` and `||`: the deciding value wins over errors, wherever it stands. */
function logical(terms: readonly Step[], deciding: boolean): Step {
  return (scope) => {
    let error: CelError | undefined;
    for (const term of terms) {
      const value = term(scope);
      if (value === deciding) return deciding;
      if (typeof value !== "boolean")
        error ??= value instanceof CelError ? value : NO_SUCH_OVERLOAD;
    }
    return error ?? !deciding;
  };
}

function notStrictlyFalse(operand: Plan | undefined): Step {
  return (scope) => {
    const value = operand?.evaluate(scope);
    scope.meter.charge(1);
    return typeof value === "boolean" ? value : true;
  };
}

function equality(plans: readonly Plan[], fn: string, positive: boolean): Step {
  const [left = absent, right = absent] = stepsOf(plans);
  const overload = positive ? "equals" : "not_equals";
  return (scope) => {
    const args = [left(scope), right(scope)] as const;
    const error = args.find((arg) => arg instanceof CelError);
    const result = error ?? compareEqual(args, positive, scope);
    scope.meter.charge(callCost({ fn, overload, args, result }));
    return result;
  };
}

function compareEqual(args: readonly [Value, Value], positive: boolean, scope: Scope): Value {
  const same = equal(args[0], args[1], scope.meter);
  // `!=` takes what can't be compared for different; `==` reports it.
  return positive ? same : same !== true;
}

function optionalOr(
  left: Plan | undefined,
  right: Plan | undefined,
  present: (optional: Optional) => Value,
): Step {
  return (scope) => {
    const value = left?.evaluate(scope) ?? NO_SUCH_OVERLOAD;
    if (!(value instanceof Optional)) return value;
    return value.hasValue ? present(value) : (right?.evaluate(scope) ?? NO_SUCH_OVERLOAD);
  };
}

function planFunction(resolved: ResolvedCall, args: readonly Plan[]): Plan {
  const declaration = FUNCTIONS.get(resolved.fn);
  if (!declaration) throw new PlanError(`no such overload: ${resolved.fn}`);
  const overload = resolved.overloads.length === 1 ? (resolved.overloads[0] ?? "") : "";
  checkConstantPattern(resolved.fn, args[1]?.constant);
  if (overload === "in_list") {
    const membership = constantMembership(args[0]?.evaluate ?? absent, args[1]?.constant);
    if (membership) return { evaluate: membership };
  }
  const call = strictCall(
    { fn: resolved.fn, overload },
    implementationOf(declaration, resolved.overloads),
    args,
  );
  if (CONVERSION_NAMES.has(resolved.fn) && args.length === 1 && args[0]?.constant !== undefined) {
    return foldConversion(call);
  }
  return { evaluate: call };
}

function checkConstantPattern(fn: string, pattern: Value | undefined): void {
  if ((fn !== "find" && fn !== "findAll") || typeof pattern !== "string") return;
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) throw new PlanError(compiled.message);
}

/** The conversion of a constant is done once and for all; a failing one makes no program. */
function foldConversion(call: Step): Plan {
  const value = call(new RootScope(new Meter(Number.POSITIVE_INFINITY), new Map()));
  if (value instanceof CelError) throw new PlanError(value.message);
  return constant(value);
}

function strictCall(
  { fn, overload }: { readonly fn: string; readonly overload: string },
  call: ReturnType<typeof implementationOf>,
  plans: readonly Plan[],
): Step {
  const steps = stepsOf(plans);
  // With up to two arguments all are evaluated, and paid for, before an error counts.
  const stopsAtError = steps.length > 2;
  return (scope) => {
    const args: Value[] = [];
    let error: CelError | undefined;
    for (const step of steps) {
      const value = step(scope);
      args.push(value);
      if (value instanceof CelError) error ??= value;
      if (error && stopsAtError) break;
    }
    const result = error ?? call(args, scope.meter);
    if (args.length === steps.length) scope.meter.charge(callCost({ fn, overload, args, result }));
    return result;
  };
}

const LIST_COST = 10;
const MAP_COST = 30;

function charged(cost: number, step: Step): Step {
  return (scope) => {
    const value = step(scope);
    scope.meter.charge(cost);
    return value;
  };
}

function buildList(steps: readonly Step[], optionals: ReadonlySet<number>, scope: Scope): Value {
  const elements: Value[] = [];
  for (const [index, step] of steps.entries()) {
    const element = step(scope);
    if (element instanceof CelError) return element;
    if (!optionals.has(index)) elements.push(element);
    else if (!(element instanceof Optional)) return notOptional("list element", element);
    else if (element.value !== undefined) elements.push(element.value);
  }
  return new ValueList(elements);
}

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

function buildMap(entries: readonly EntrySteps[], scope: Scope): Value {
  const pairs: [Value, Value][] = [];
  for (const entry of entries) {
    const key = entry.key(scope);
    if (key instanceof CelError) return key;
    const value = entry.value(scope);
    if (value instanceof CelError) return value;
    if (!entry.optional) pairs.push([key, value]);
    else if (!(value instanceof Optional)) return notOptional(`entry '${showValue(key)}'`, value);
    else if (value.value !== undefined) pairs.push([key, value.value]);
  }
  return new ValueMap(pairs);
}

function notOptional(what: string, value: Value): CelError {
  return new CelError(
    `cannot initialize optional ${what} from non-optional value ${showValue(value)}`,
  );
}
