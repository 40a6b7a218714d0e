import { Duration } from "../../time.ts";
import { BOOL, DYN, listOf, mapOf, optionalOf, STRING, typeParam } from "../cel-type.ts";
import { OPERATORS } from "../syntax/ast.ts";
import { MAP_INSERT } from "../syntax/macros-two-variables.ts";
import { CelError } from "../values/cel-error.ts";
import type { CelList } from "../values/cel-list.ts";
import type { CelMap } from "../values/cel-map.ts";
import { Optional } from "../values/optional.ts";
import { showValue } from "../values/show.ts";
import { Uint } from "../values/uint.ts";
import { codePointCount, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { GrowingMap, ValueMap } from "../values/value-map.ts";
import { type FunctionDeclaration, type Implementation, member, overload } from "./declare.ts";

const K = typeParam("K");
const V = typeParam("V");
const OPTIONAL_V = optionalOf(V);
const LIST_V = listOf(V);
const MAP_KV = mapOf(K, V);

/** Lists and objects of a schema are never taken for empty here, as in kube-apiserver. */
function isZero(value: Value): boolean {
  if (value instanceof ValueList || value instanceof ValueMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (typeof value === "string") return codePointCount(value) === 0;
  return value === null || value === false || value === 0n || value === 0;
}

const presentValue: Implementation = ([optional]) =>
  (optional as Optional).value ?? new CelError("optional.none() dereference");

const elementAt = (list: CelList, index: number): Optional =>
  list.size === 0 ? Optional.none : Optional.of(list.at(index));

const unwrap: Implementation = ([list]) => {
  const present: Value[] = [];
  for (const element of list as CelList) {
    if (!(element instanceof Optional)) {
      return new CelError(`value ${showValue(element)} is not optional`);
    }
    if (element.value !== undefined) present.push(element.value);
  }
  return new ValueList(present);
};

function insertEntry(map: CelMap, key: Value, value: Value): CelMap | CelError {
  if (map instanceof GrowingMap) return map.insert(key, value);
  if (map.find(key) !== undefined) {
    return new CelError(`insert failed: key ${showValue(key)} already exists`);
  }
  const entries = [...map.keys()].map((each): [Value, Value] => [each, map.find(each) ?? null]);
  return new ValueMap([...entries, [key, value]]);
}

const insert: Implementation = ([map, key = null, value], meter) => {
  if (value !== undefined) return insertEntry(map as CelMap, key, value);
  let grown: CelMap | CelError = map as CelMap;
  for (const each of (key as CelMap).keys()) {
    meter.work(1);
    grown = insertEntry(grown, each, (key as CelMap).find(each) ?? null);
    if (grown instanceof CelError) return grown;
  }
  return grown;
};

/** Optional values, and what the macros with two variables need. */
export const OPTIONAL_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "optional.of",
    overloads: [overload(["optional_of", [V], OPTIONAL_V], ([value = null]) => Optional.of(value))],
  },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      overload(["optional_ofNonZeroValue", [V], OPTIONAL_V], ([value = null]) =>
        isZero(value) ? Optional.none : Optional.of(value),
      ),
    ],
  },
  {
    name: "optional.none",
    overloads: [overload(["optional_none", [], OPTIONAL_V], () => Optional.none)],
  },
  { name: "value", overloads: [member(["optional_value", [OPTIONAL_V], V], presentValue)] },
  {
    name: "hasValue",
    overloads: [
      member(["optional_hasValue", [OPTIONAL_V], BOOL], ([value]) => (value as Optional).hasValue),
    ],
  },
  {
    name: "or",
    overloads: [member(["optional_or_optional", [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V])],
  },
  { name: "orValue", overloads: [member(["optional_orValue_value", [OPTIONAL_V, V], V])] },
  {
    name: OPERATORS.optSelect,
    overloads: [overload(["select_optional_field", [DYN, STRING], OPTIONAL_V])],
  },
  {
    name: "last",
    overloads: [
      member(["list_last", [LIST_V], OPTIONAL_V], ([value]) =>
        elementAt(value as CelList, (value as CelList).size - 1),
      ),
    ],
  },
  {
    name: "first",
    overloads: [
      member(["list_first", [LIST_V], OPTIONAL_V], ([value]) => elementAt(value as CelList, 0)),
    ],
  },
  {
    name: "optional.unwrap",
    overloads: [overload(["optional_unwrap", [listOf(OPTIONAL_V)], LIST_V], unwrap)],
  },
  {
    name: "unwrapOpt",
    overloads: [member(["optional_unwrapOpt", [listOf(OPTIONAL_V)], LIST_V], unwrap)],
  },
  {
    name: MAP_INSERT,
    overloads: [
      overload(["@mapInsert_map_key_value", [MAP_KV, K, V], MAP_KV], insert),
      overload(["@mapInsert_map_map", [MAP_KV, MAP_KV], MAP_KV], insert),
    ],
  },
];
