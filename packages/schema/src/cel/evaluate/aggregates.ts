import { showValue } from "../values/show.ts";
import { CelError, Optional, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { ValueMap } from "../values/value-map.ts";
import type { Scope, Step } from "./scope.ts";

export const LIST_COST = 10;
export const MAP_COST = 30;

export function charged(cost: number, step: Step): Step {
  return (scope) => {
    const value = step(scope);
    scope.meter.charge(cost);
    return value;
  };
}

export function buildList(
  steps: readonly Step[],
  optionals: ReadonlySet<number>,
  scope: Scope,
): Value {
  const elements: Value[] = [];
  for (const [index, step] of steps.entries()) {
    const element = step(scope);
    if (element instanceof CelError) return element;
    if (!optionals.has(index)) elements.push(element);
    else if (!(element instanceof Optional)) return notOptional("list element", element);
    else if (element.value !== undefined) elements.push(element.value);
  }
  return new ValueList(elements);
}

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

export function buildMap(entries: readonly EntrySteps[], scope: Scope): Value {
  const pairs: [Value, Value][] = [];
  for (const entry of entries) {
    const key = entry.key(scope);
    if (key instanceof CelError) return key;
    scope.meter.read(key);
    const value = entry.value(scope);
    if (value instanceof CelError) return value;
    if (!entry.optional) pairs.push([key, value]);
    else if (!(value instanceof Optional)) return notOptional(`entry '${showValue(key)}'`, value);
    else if (value.value !== undefined) pairs.push([key, value.value]);
  }
  return new ValueMap(pairs);
}

function notOptional(what: string, value: Value): CelError {
  return new CelError(
    `cannot initialize optional ${what} from non-optional value ${showValue(value)}`,
  );
}
