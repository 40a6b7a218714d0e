import { losslessInteger } from "../values/numbers.ts";
import { CelError, CelList, Uint, type Value } from "../values/value.ts";
import type { Step } from "./scope.ts";

/**
 * `x in [constants]` as a lookup, which costs nothing beyond `x`; undefined where the list is not
 * constant or has elements that can't be looked up.
 */
export function constantMembership(element: Step, list: Value | undefined): Step | undefined {
  if (!(list instanceof CelList)) return undefined;
  if (list.size === 0) return () => false;
  const members = new Set<string>();
  for (const member of list) {
    const id = identity(member);
    if (id === undefined) return undefined;
    members.add(id);
  }
  return (scope) => {
    const value = element(scope);
    if (value instanceof CelError) return value;
    scope.meter.read(value);
    const id = identity(value);
    return id !== undefined && members.has(id);
  };
}

/** Equal numbers of different types have one identity. */
function identity(value: Value): string | undefined {
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "boolean") return `b${value}`;
  if (typeof value === "bigint") return `n${value}`;
  if (value instanceof Uint) return `n${value.value}`;
  return typeof value === "number" ? `n${losslessInteger(value) ?? value}` : undefined;
}
