import { Duration } from "../../time.ts";
import type { Meter } from "../meter.ts";
import { equalNonNull } from "../values/equality.ts";
import { compare, isComparable } from "../values/order.ts";
import { CelError, type CelList, NO_SUCH_OVERLOAD, Uint, type Value } from "../values/value.ts";
import { ARITHMETIC_FUNCTIONS } from "./arithmetic.ts";
import { declareFunctions, type FunctionDeclaration, type Implementation } from "./declare.ts";

const COMPARABLE = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const ZEROS = { int: 0n, uint: new Uint(0n), double: 0, duration: new Duration(0n) };

const plus = ARITHMETIC_FUNCTIONS.find(({ name }) => name === "_+_")?.singleton?.call;

const isSorted: Implementation = ([list]) => {
  let previous: Value | undefined;
  for (const element of list as CelList) {
    if (!isComparable(element)) return element instanceof CelError ? element : NO_SUCH_OVERLOAD;
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
};

function sumFrom(zero: Value): Implementation {
  return ([list], meter) => {
    let total = zero;
    for (const element of list as CelList) {
      total = plus?.([total, element], meter) ?? NO_SUCH_OVERLOAD;
      if (total instanceof CelError) return total;
    }
    return total;
  };
}

function extreme(name: "min" | "max", replaceWhen: -1 | 1): Implementation {
  return ([list]) => {
    let best: Value | undefined;
    for (const element of list as CelList) {
      if (!isComparable(element)) return element instanceof CelError ? element : NO_SUCH_OVERLOAD;
      if (best === undefined || compare(best, element) === replaceWhen) best = element;
    }
    return best ?? new CelError(`${name} called on empty list`);
  };
}

function isAt(list: CelList, [index, item]: readonly [number, Value], meter: Meter): boolean {
  return equalNonNull(list.at(index), item, meter) === true;
}

function indexOf([list, item]: [CelList, Value], meter: Meter): bigint {
  for (let i = 0; i < list.size; i++) if (isAt(list, [i, item], meter)) return BigInt(i);
  return -1n;
}

function lastIndexOf([list, item]: [CelList, Value], meter: Meter): bigint {
  for (let i = list.size - 1; i >= 0; i--) if (isAt(list, [i, item], meter)) return BigInt(i);
  return -1n;
}

function ofComparable(
  signature: (type: string) => string,
  implementation: Implementation,
): Record<string, Implementation> {
  return Object.fromEntries(COMPARABLE.map((type) => [signature(type), implementation]));
}

/** Kubernetes' own list library. */
export const LIST_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions({
  isSorted: ofComparable(
    (type) => `list_${type}_is_sorted_bool: list(${type}).() -> bool`,
    isSorted,
  ),
  sum: Object.fromEntries(
    Object.entries(ZEROS).map(([type, zero]) => [
      `list_${type}_sum_${type}: list(${type}).() -> ${type}`,
      sumFrom(zero),
    ]),
  ),
  max: ofComparable(
    (type) => `list_${type}_max_${type}: list(${type}).() -> ${type}`,
    extreme("max", -1),
  ),
  min: ofComparable(
    (type) => `list_${type}_min_${type}: list(${type}).() -> ${type}`,
    extreme("min", 1),
  ),
  indexOf: { "list_a_index_of_int: list(A).(A) -> int": indexOf },
  lastIndexOf: { "list_a_last_index_of_int: list(A).(A) -> int": lastIndexOf },
});
