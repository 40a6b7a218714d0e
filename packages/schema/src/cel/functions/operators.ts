import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  typeParam,
  UINT,
} from "../cel-type.ts";
import { OPERATORS } from "../syntax/ast.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { CelList } from "../values/cel-list.ts";
import { CelMap } from "../values/cel-map.ts";
import { compare, isComparable, type Order } from "../values/order.ts";
import type { Value } from "../values/value.ts";
import {
  type FunctionDeclaration,
  type Implementation,
  type Overload,
  overload,
} from "./declare.ts";

const A = typeParam("A");
const B = typeParam("B");
const LIST_A = listOf(A);
const MAP_AB = mapOf(A, B);

const SCALARS: readonly (readonly [string, CelType])[] = [
  ["bool", BOOL],
  ["int64", INT],
  ["uint64", UINT],
  ["double", DOUBLE],
  ["string", STRING],
  ["bytes", BYTES],
  ["timestamp", TIMESTAMP],
  ["duration", DURATION],
];
const CROSS_TYPE: readonly (readonly [string, CelType, CelType])[] = [
  ["int64_double", INT, DOUBLE],
  ["int64_uint64", INT, UINT],
  ["uint64_double", UINT, DOUBLE],
  ["uint64_int64", UINT, INT],
  ["double_int64", DOUBLE, INT],
  ["double_uint64", DOUBLE, UINT],
];

function relation(name: string, id: string, holds: (order: Order) => boolean): FunctionDeclaration {
  const same = SCALARS.map(([suffix, type]) => overload([`${id}_${suffix}`, [type, type], BOOL]));
  const cross = CROSS_TYPE.map(([suffix, l, r]) => overload([`${id}_${suffix}`, [l, r], BOOL]));
  const call: Implementation = ([left, right]) => {
    const order = compare(left ?? null, right ?? null);
    return order instanceof CelError ? order : holds(order);
  };
  return { name, overloads: [...same, ...cross], singleton: { call, accepts: isComparable } };
}

const contains: Implementation = ([element = null, container = null], meter) => {
  if (container instanceof CelList) return container.contains(element, meter);
  if (!(container instanceof CelMap)) return NO_SUCH_OVERLOAD;
  const value = container.find(element);
  return value instanceof CelError ? value : value !== undefined;
};

const negateBool: Implementation = ([value]) =>
  typeof value === "boolean" ? !value : NO_SUCH_OVERLOAD;

/** Evaluated by the planner itself; only their types are declared. */
function special(name: string, overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

const anything = (_: Value): boolean => true;

/** Logic, equality, order, membership and access. */
export const OPERATOR_FUNCTIONS: readonly FunctionDeclaration[] = [
  special(OPERATORS.conditional, [overload(["conditional", [BOOL, A, A], A])]),
  special(OPERATORS.and, [overload(["logical_and", [BOOL, BOOL], BOOL])]),
  special(OPERATORS.or, [overload(["logical_or", [BOOL, BOOL], BOOL])]),
  {
    name: OPERATORS.not,
    overloads: [overload(["logical_not", [BOOL], BOOL])],
    singleton: { call: negateBool, accepts: anything },
  },
  special(OPERATORS.notStrictlyFalse, [overload(["not_strictly_false", [BOOL], BOOL])]),
  special(OPERATORS.equals, [overload(["equals", [A, A], BOOL])]),
  special(OPERATORS.notEquals, [overload(["not_equals", [A, A], BOOL])]),
  relation("_<_", "less", (order) => order < 0),
  relation("_<=_", "less_equals", (order) => order <= 0),
  relation("_>_", "greater", (order) => order > 0),
  relation("_>=_", "greater_equals", (order) => order >= 0),
  {
    name: OPERATORS.in,
    overloads: [overload(["in_list", [A, LIST_A], BOOL]), overload(["in_map", [A, MAP_AB], BOOL])],
    singleton: { call: contains, accepts: anything },
  },
  special(OPERATORS.index, [
    overload(["index_list", [LIST_A, INT], A]),
    overload(["index_map", [MAP_AB, A], B]),
    overload(["optional_list_index_int", [optionalOf(LIST_A), INT], optionalOf(A)]),
    overload(["optional_map_index_value", [optionalOf(MAP_AB), A], optionalOf(B)]),
  ]),
  special(OPERATORS.optIndex, [
    overload(["list_optindex_optional_int", [LIST_A, INT], optionalOf(A)]),
    overload(["optional_list_optindex_optional_int", [optionalOf(LIST_A), INT], optionalOf(A)]),
    overload(["map_optindex_optional_value", [MAP_AB, A], optionalOf(B)]),
    overload(["optional_map_optindex_optional_value", [optionalOf(MAP_AB), A], optionalOf(B)]),
  ]),
];
