import { losslessInteger } from "../values/numbers.ts";
import { showValue } from "../values/show.ts";
import { CelError, CelList, CelMap, Optional, typeOf, Uint, type Value } from "../values/value.ts";
import type { Scope } from "./scope.ts";

/** How a value is reached: by a field or index, known beforehand or computed. */
export interface Access {
  /** Computes the key; charges what that costs. */
  key(scope: Scope): Value;
  /** True for `.?` and `[?`. */
  readonly optional: boolean;
  /** True for `has()`. */
  readonly testOnly: boolean;
}

/** Goes from a value to one of its parts, at the cost of one unit. */
export function qualify(target: Value, access: Access, scope: Scope): Value {
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

/** What is absent costs nothing. */
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
