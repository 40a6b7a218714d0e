import { callCost } from "../cost/call-cost.ts";
import { equal } from "../values/equality.ts";
import { CelError, NO_SUCH_OVERLOAD, Optional, type Value } from "../values/value.ts";
import { absent, type Plan, PlanError, stepsOf } from "./plan.ts";
import type { Scope, Step } from "./scope.ts";

export function conditional(test?: Plan, truthy?: Plan, falsy?: Plan): Plan {
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

/** `&&` and `||`: a deciding value wins over errors in any position. */
export function logical(terms: readonly Step[], deciding: boolean): Step {
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

export function notStrictlyFalse(operand: Plan | undefined): Step {
  return (scope) => {
    const value = operand?.evaluate(scope);
    scope.meter.charge(1);
    return typeof value === "boolean" ? value : true;
  };
}

export function equality(plans: readonly Plan[], fn: string, positive: boolean): Step {
  const [left = absent, right = absent] = stepsOf(plans);
  const overload = positive ? "equals" : "not_equals";
  return (scope) => {
    const args = [left(scope), right(scope)] as const;
    for (const arg of args) scope.meter.read(arg);
    const error = args.find((arg) => arg instanceof CelError);
    const result = error ?? compareEqual(args, positive, scope);
    scope.meter.charge(callCost({ fn, overload, args, result }, scope.meter));
    return result;
  };
}

function compareEqual(args: readonly [Value, Value], positive: boolean, scope: Scope): Value {
  const same = equal(args[0], args[1], scope.meter);
  // Incomparable values differ for `!=`, and are an error for `==`.
  return positive ? same : same !== true;
}

export function optionalOr(
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
