import { quote } from "@rookery/kube";
import { ListItemError } from "../errors.ts";
import type { ListSchema } from "./merge-schema.ts";
import { shapeOf } from "./merge-schema.ts";
import { keyElement, type PathElement, type Scalar, valueElement } from "./path-element.ts";

/** How an item of a list of type "set" or "map" is found again. Throws a ListItemError. */
export function elementOfItem(list: ListSchema, item: unknown): PathElement {
  return list.type === "map" ? elementOfKeys(list, item) : elementOfValue(item);
}

function elementOfKeys({ keys, items }: ListSchema, item: unknown): PathElement {
  if (item === null || item === undefined) {
    throw new ListItemError("associative list with keys may not have a null element");
  }
  if (shapeOf(item) !== "map") {
    throw new ListItemError("associative list with keys may not have non-map elements");
  }
  const found: [string, unknown][] = [];
  for (const key of keys) {
    const value = Object.hasOwn(item, key)
      ? (item as Record<string, unknown>)[key]
      : items.map?.field(key)?.default;
    if (value !== undefined) found.push([key, value]);
  }
  if (found.length > 0) return keyElement(found.length > 1 ? found.sort(byName) : found);
  const names = `[${keys.map(quote).join(" ")}]`;
  throw new ListItemError(
    `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  );
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function elementOfValue(item: unknown): PathElement {
  switch (shapeOf(item)) {
    case "map":
      throw new ListItemError("associative list without keys has an element that's a map type");
    case "list":
      throw new ListItemError("not supported: associative list with lists as elements");
    case undefined:
      throw new ListItemError(
        "associative list without keys has an element that's an explicit null",
      );
    default:
      return valueElement(item as Scalar);
  }
}
