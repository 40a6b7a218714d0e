import { losslessInteger } from "../values/numbers.ts";
import { showValue } from "../values/show.ts";
import {
  CelError,
  CelList,
  CelMap,
  NO_SUCH_OVERLOAD,
  Optional,
  typeOf,
  Uint,
  type Value,
} from "../values/value.ts";
import type { Scope, Step } from "./scope.ts";

/** A checked expression that has no program. */
export class PlanError extends Error {}

export interface Plan {
  readonly evaluate: Step;
  /** Set for constants, which cost nothing. */
  readonly constant?: Value;
  /** Set for variables and their parts: the value without the cost of the variable. */
  readonly resolve?: Step;
  /** Set for conditions: their parts cost only the qualifiers. */
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

/** A variable or a part of one costs one unit in addition to its qualifiers. */
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

/** Access to a field or an index, constant or computed. */
interface Access {
  /** Computes the key and charges its cost. */
  key(scope: Scope): Value;
  /** True for `.?` and `[?`. */
  readonly optional: boolean;
  /** True for `has()`. */
  readonly testOnly: boolean;
}

/** Reads a part of a value, for one unit. */
function qualify(target: Value, access: Access, scope: Scope): Value {
  if (target instanceof CelError) return target;
  if (target instanceof Optional) {
    return target.value === undefined ? target : qualifyOptional(target.value, access, scope);
  }
  if (access.optional) return qualifyOptional(target, access, scope);
  const key = access.key(scope);
  scope.meter.read(key);
  const found = lookup(target, key);
  scope.meter.charge(1);
  if (found instanceof CelError) return found;
  if (access.testOnly) return found !== undefined;
  return found === undefined ? missing(target, key) : found;
}

/** A missing part costs nothing. */
function qualifyOptional(target: Value, access: Access, scope: Scope): Value {
  const key = access.key(scope);
  scope.meter.read(key);
  const found = lookup(target, key);
  if (found instanceof CelError) return found;
  if (found === undefined) return Optional.none;
  scope.meter.charge(1);
  return Optional.of(found);
}

function lookup(target: Value, key: Value): Value | undefined {
  if (key instanceof CelError) return key;
  if (target instanceof CelMap) return target.find(key);
  if (!(target instanceof CelList)) return undefined;
  const index = indexOf(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < target.size ? target.at(index) : undefined;
}

function indexOf(key: Value): number | CelError {
  if (typeof key === "bigint") return Number(key);
  if (key instanceof Uint) return Number(key.value);
  const lossless = typeof key === "number" ? losslessInteger(key) : undefined;
  if (lossless !== undefined) return Number(lossless);
  if (typeof key === "number")
    return new CelError(`unsupported index value ${showValue(key)} in list`);
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
}

function missing(target: Value, key: Value): CelError {
  if (target instanceof CelList) return new CelError(`index out of bounds: ${showValue(key)}`);
  return new CelError(`no such key: ${showValue(key)}`);
}
