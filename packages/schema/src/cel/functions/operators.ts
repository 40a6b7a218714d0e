import { OPERATORS } from "../syntax/ast.ts";
import { compare, isComparable, type Order } from "../values/order.ts";
import { CelError, CelList, CelMap, NO_SUCH_OVERLOAD } from "../values/value.ts";
import { type FunctionDeclaration, type Implementation, overloadsOf } from "./declare.ts";

// biome-ignore format: a list of words
const SCALARS: readonly (readonly [id: string, type: string])[] = [
  ["bool", "bool"], ["int64", "int"], ["uint64", "uint"], ["double", "double"],
  ["string", "string"], ["bytes", "bytes"], ["timestamp", "timestamp"], ["duration", "duration"],
];
const CROSS_TYPE: readonly (readonly [id: string, types: string])[] = [
  ["int64_double", "int, double"],
  ["int64_uint64", "int, uint"],
  ["uint64_double", "uint, double"],
  ["uint64_int64", "uint, int"],
  ["double_int64", "double, int"],
  ["double_uint64", "double, uint"],
];

function relation(name: string, id: string, holds: (order: Order) => boolean): FunctionDeclaration {
  const same = SCALARS.map(([suffix, type]) => `${id}_${suffix}: (${type}, ${type}) -> bool`);
  const cross = CROSS_TYPE.map(([suffix, types]) => `${id}_${suffix}: (${types}) -> bool`);
  const call: Implementation = ([left, right]) => {
    const order = compare(left ?? null, right ?? null);
    return order instanceof CelError ? order : holds(order);
  };
  return {
    name,
    overloads: overloadsOf(...same, ...cross),
    singleton: { call, accepts: isComparable },
  };
}

const contains: Implementation = ([element = null, container = null], meter) => {
  if (container instanceof CelList) return container.contains(element, meter);
  if (!(container instanceof CelMap)) return NO_SUCH_OVERLOAD;
  const value = container.find(element);
  return value instanceof CelError ? value : value !== undefined;
};

const negateBool: Implementation = ([value]) =>
  typeof value === "boolean" ? !value : NO_SUCH_OVERLOAD;

/** Evaluated by the planner; only the types are declared here. */
const PLANNED: Readonly<Record<string, readonly string[]>> = {
  [OPERATORS.conditional]: ["conditional: (bool, A, A) -> A"],
  [OPERATORS.and]: ["logical_and: (bool, bool) -> bool"],
  [OPERATORS.or]: ["logical_or: (bool, bool) -> bool"],
  [OPERATORS.notStrictlyFalse]: ["not_strictly_false: (bool) -> bool"],
  [OPERATORS.equals]: ["equals: (A, A) -> bool"],
  [OPERATORS.notEquals]: ["not_equals: (A, A) -> bool"],
  [OPERATORS.index]: [
    "index_list: (list(A), int) -> A",
    "index_map: (map(A, B), A) -> B",
    "optional_list_index_int: (optional(list(A)), int) -> optional(A)",
    "optional_map_index_value: (optional(map(A, B)), A) -> optional(B)",
  ],
  [OPERATORS.optIndex]: [
    "list_optindex_optional_int: (list(A), int) -> optional(A)",
    "optional_list_optindex_optional_int: (optional(list(A)), int) -> optional(A)",
    "map_optindex_optional_value: (map(A, B), A) -> optional(B)",
    "optional_map_optindex_optional_value: (optional(map(A, B)), A) -> optional(B)",
  ],
  [OPERATORS.optSelect]: ["select_optional_field: (dyn, string) -> optional(V)"],
  or: ["optional_or_optional: optional(V).(optional(V)) -> optional(V)"],
  orValue: ["optional_orValue_value: optional(V).(V) -> V"],
};

/** Logic, equality, order, membership and access. */
export const OPERATOR_FUNCTIONS: readonly FunctionDeclaration[] = [
  ...Object.entries(PLANNED).map(([name, signatures]) => ({
    name,
    overloads: overloadsOf(...signatures),
  })),
  {
    name: OPERATORS.not,
    overloads: overloadsOf("logical_not: (bool) -> bool"),
    singleton: { call: negateBool, accepts: () => true },
  },
  relation("_<_", "less", (order) => order < 0),
  relation("_<=_", "less_equals", (order) => order <= 0),
  relation("_>_", "greater", (order) => order > 0),
  relation("_>=_", "greater_equals", (order) => order >= 0),
  {
    name: OPERATORS.in,
    overloads: overloadsOf("in_list: (A, list(A)) -> bool", "in_map: (A, map(A, B)) -> bool"),
    singleton: { call: contains, accepts: () => true },
  },
];
