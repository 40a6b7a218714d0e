import { FieldError, type FieldPath } from "@rookery/kube";
import {
  canonicalJson,
  getOwn,
  isArray,
  isObject,
  type JSONObject,
  type JSONValue,
} from "../json.ts";
import type { SchemaNode } from "../schema-node.ts";
import { flatMapParts } from "./parts.ts";

/** Finds duplicates in lists of type set, and duplicate keys in lists of type map. */
export function checkListTypes(node: SchemaNode, value: JSONValue, path: FieldPath): FieldError[] {
  const own = isArray(value) ? checkOwn(node, value, path) : [];
  return [...own, ...flatMapParts({ node, value, path }, checkListTypes)];
}

function checkOwn(node: SchemaNode, items: readonly JSONValue[], path: FieldPath): FieldError[] {
  switch (node.listType) {
    case "set":
      return duplicates(items).map((i) => FieldError.duplicate(path.index(i), items[i]));
    case "map":
      return checkMap(node, items, path);
    default:
      return [];
  }
}

function checkMap(node: SchemaNode, items: readonly JSONValue[], path: FieldPath): FieldError[] {
  const stranger = items.findIndex((item) => item !== null && !isObject(item));
  if (stranger >= 0) {
    const problem = "must be an object for an array of list-type map";
    return [FieldError.invalid(path.index(stranger), items[stranger], problem)];
  }
  const keys = items.map((item) => keysOf(item, node.listMapKeys));
  return duplicates(keys).map((index) => FieldError.duplicate(path.index(index), keys[index]));
}

function keysOf(item: JSONValue, names: readonly string[]): JSONObject {
  if (!isObject(item)) return {};
  const entries = names.flatMap((name): [string, JSONValue][] => {
    const value = getOwn(item, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** The second occurrence of each repeated value. */
function duplicates(values: readonly JSONValue[]): readonly number[] {
  const times = new Map<string, number>();
  return values.flatMap((value, index) => {
    const id = canonicalJson(value);
    const seen = times.get(id) ?? 0;
    times.set(id, seen + 1);
    return seen === 1 ? [index] : [];
  });
}
