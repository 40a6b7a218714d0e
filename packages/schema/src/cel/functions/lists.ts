import { Duration } from "../../time.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  typeParam,
  UINT,
} from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import type { CelList } from "../values/cel-list.ts";
import { equalNonNull } from "../values/equality.ts";
import { compare, isComparable } from "../values/order.ts";
import { Uint } from "../values/uint.ts";
import type { Value } from "../values/value.ts";
import { ARITHMETIC_FUNCTIONS } from "./arithmetic.ts";
import { type FunctionDeclaration, type Implementation, member } from "./declare.ts";

const A = typeParam("A");

const COMPARABLE: readonly (readonly [string, CelType])[] = [
  ["int", INT],
  ["uint", UINT],
  ["double", DOUBLE],
  ["bool", BOOL],
  ["duration", DURATION],
  ["timestamp", TIMESTAMP],
  ["string", STRING],
  ["bytes", BYTES],
];
const SUMMABLE: readonly (readonly [string, CelType, Value])[] = [
  ["int", INT, 0n],
  ["uint", UINT, new Uint(0n)],
  ["double", DOUBLE, 0],
  ["duration", DURATION, new Duration(0n)],
];

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

const indexOf: Implementation = ([value, item = null], meter) => {
  const list = value as CelList;
  for (let i = 0; i < list.size; i++) if (isAt(list, [i, item], meter)) return BigInt(i);
  return -1n;
};

const lastIndexOf: Implementation = ([value, item = null], meter) => {
  const list = value as CelList;
  for (let i = list.size - 1; i >= 0; i--) if (isAt(list, [i, item], meter)) return BigInt(i);
  return -1n;
};

/** Kubernetes' own list library. */
export const LIST_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "isSorted",
    overloads: COMPARABLE.map(([name, type]) =>
      member([`list_${name}_is_sorted_bool`, [listOf(type)], BOOL], isSorted),
    ),
  },
  {
    name: "sum",
    overloads: SUMMABLE.map(([name, type, zero]) =>
      member([`list_${name}_sum_${name}`, [listOf(type)], type], sumFrom(zero)),
    ),
  },
  {
    name: "max",
    overloads: COMPARABLE.map(([name, type]) =>
      member([`list_${name}_max_${name}`, [listOf(type)], type], extreme("max", -1)),
    ),
  },
  {
    name: "min",
    overloads: COMPARABLE.map(([name, type]) =>
      member([`list_${name}_min_${name}`, [listOf(type)], type], extreme("min", 1)),
    ),
  },
  {
    name: "indexOf",
    overloads: [member(["list_a_index_of_int", [listOf(A), A], INT], indexOf)],
  },
  {
    name: "lastIndexOf",
    overloads: [member(["list_a_last_index_of_int", [listOf(A), A], INT], lastIndexOf)],
  },
];
