import { NO_SUCH_OVERLOAD, Optional, type Value } from "../values/value.ts";
import { type Access, qualify } from "./qualify.ts";
import type { Step } from "./scope.ts";

/** A program can't be made of an expression, although its types are right. */
export class PlanError extends Error {}

/** How a node is evaluated. */
export interface Plan {
  readonly evaluate: Step;
  /** Set where the value is known beforehand; it costs nothing then. */
  readonly constant?: Value;
  /** Set on variables and what is reached from them: the value without the cost of the variable. */
  readonly resolve?: Step;
  /** Set on conditions: what is reached from them costs only its qualifiers. */
  readonly free?: true;
}

export const absent: Step = () => NO_SUCH_OVERLOAD;

export function constant(value: Value): Plan {
  return { evaluate: () => value, constant: value };
}

export function stepsOf(plans: readonly Plan[]): readonly Step[] {
  return plans.map(({ evaluate }) => evaluate);
}

export function constantsOf(plans: readonly Plan[]): readonly Value[] | undefined {
  const values = plans.flatMap((each) => (each.constant === undefined ? [] : [each.constant]));
  return values.length === plans.length ? values : undefined;
}

/** A variable, or what is reached from one, costs one unit on top of its qualifiers. */
export function reached(resolve: Step): Plan {
  return {
    resolve,
    evaluate: (scope) => {
      const value = resolve(scope);
      scope.meter.charge(1);
      return value;
    },
  };
}

export function reach(operand: Plan, access: Access): Plan {
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

export function indexed(
  operand: Plan | undefined,
  index: Plan | undefined,
  optional: boolean,
): Plan {
  if (!operand || !index) throw new PlanError("an index needs two operands");
  const key = index.resolve ?? index.evaluate;
  return reach(operand, { key, optional, testOnly: false });
}
