import type { JSONObject, JSONValue } from "@rookery/schema";

/** Names of fields and indices of items, from the root. */
export type Path = readonly (string | number)[];

export function get(value: JSONValue | undefined, [step, ...rest]: Path): JSONValue | undefined {
  if (step === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return get((value as Record<string | number, JSONValue>)[step], rest);
}

/** A copy with another value at a path; undefined takes the field or item away. */
export function set(object: JSONObject, path: Path, value: JSONValue | undefined): JSONObject {
  return setIn(object, path, value) as JSONObject;
}

function setIn(
  container: JSONValue | undefined,
  [step, ...rest]: Path,
  value: JSONValue | undefined,
): JSONValue | undefined {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const items = [...((container ?? []) as readonly JSONValue[])];
    const item = setIn(items[step], rest, value);
    if (item === undefined) items.splice(step, 1);
    else items[step] = item;
    return items;
  }
  const { [step]: field, ...others } = (container ?? {}) as JSONObject;
  const changed = setIn(field, rest, value);
  return changed === undefined ? others : { ...others, [step]: changed };
}
