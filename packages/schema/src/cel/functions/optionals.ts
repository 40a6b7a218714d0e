import { Duration } from "../../time.ts";
import type { Meter } from "../meter.ts";
import { MAP_INSERT } from "../syntax/macros.ts";
import { showValue } from "../values/show.ts";
import {
  CelError,
  type CelList,
  type CelMap,
  codePointCount,
  Optional,
  Uint,
  type Value,
} from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { GrowingMap, ValueMap } from "../values/value-map.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

/** Lists and objects of a schema are never empty here, as in kube-apiserver. */
function isZero(value: Value): boolean {
  if (value instanceof ValueList || value instanceof ValueMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (typeof value === "string") return codePointCount(value) === 0;
  return value === null || value === false || value === 0n || value === 0;
}

function elementAt(list: CelList, index: number): Optional {
  return list.size === 0 ? Optional.none : Optional.of(list.at(index));
}

function unwrap([list]: [CelList]): Value {
  const present: Value[] = [];
  for (const element of list) {
    if (!(element instanceof Optional)) {
      return new CelError(`value ${showValue(element)} is not optional`);
    }
    if (element.value !== undefined) present.push(element.value);
  }
  return new ValueList(present);
}

function insert([map, key, value]: [CelMap, Value, Value]): CelMap | CelError {
  if (map instanceof GrowingMap) return map.insert(key, value);
  if (map.find(key) !== undefined) {
    return new CelError(`insert failed: key ${showValue(key)} already exists`);
  }
  const entries = [...map.keys()].map((each): [Value, Value] => [each, map.find(each) ?? null]);
  return new ValueMap([...entries, [key, value]]);
}

function insertAll([map, added]: [CelMap, CelMap], meter: Meter): CelMap | CelError {
  let grown: CelMap | CelError = map;
  for (const key of added.keys()) {
    meter.work(1);
    grown = insert([grown, key, added.find(key) ?? null]);
    if (grown instanceof CelError) return grown;
  }
  return grown;
}

/** Optional values, and the functions that macros with two variables expand to. */
export const OPTIONAL_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions({
  "optional.of": { "optional_of: (V) -> optional(V)": ([value]: [Value]) => Optional.of(value) },
  "optional.ofNonZeroValue": {
    "optional_ofNonZeroValue: (V) -> optional(V)": ([value]: [Value]) =>
      isZero(value) ? Optional.none : Optional.of(value),
  },
  "optional.none": { "optional_none: () -> optional(V)": () => Optional.none },
  value: {
    "optional_value: optional(V).() -> V": ([{ value }]: [Optional]) =>
      value ?? new CelError("optional.none() dereference"),
  },
  hasValue: {
    "optional_hasValue: optional(V).() -> bool": ([{ hasValue }]: [Optional]) => hasValue,
  },
  last: {
    "list_last: list(V).() -> optional(V)": ([list]: [CelList]) => elementAt(list, list.size - 1),
  },
  first: { "list_first: list(V).() -> optional(V)": ([list]: [CelList]) => elementAt(list, 0) },
  "optional.unwrap": { "optional_unwrap: (list(optional(V))) -> list(V)": unwrap },
  unwrapOpt: { "optional_unwrapOpt: list(optional(V)).() -> list(V)": unwrap },
  [MAP_INSERT]: {
    "@mapInsert_map_key_value: (map(K, V), K, V) -> map(K, V)": insert,
    "@mapInsert_map_map: (map(K, V), map(K, V)) -> map(K, V)": insertAll,
  },
});
