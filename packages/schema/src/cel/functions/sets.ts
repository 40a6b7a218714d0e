import type { Meter } from "../meter.ts";
import type { CelList, Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

function containsAll([list, sublist]: [CelList, CelList], meter: Meter): Value {
  for (const element of sublist) {
    const found = list.contains(element, meter);
    if (found !== true) return found;
  }
  return true;
}

function equivalent([left, right]: [CelList, CelList], meter: Meter): Value {
  const forth = containsAll([left, right], meter);
  return forth === true ? containsAll([right, left], meter) : forth;
}

function intersects([left, right]: [CelList, CelList], meter: Meter): Value {
  for (const element of left) if (right.contains(element, meter) === true) return true;
  return false;
}

/** The sets extension: lists taken as sets. */
export const SET_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions({
  "sets.contains": { "list_sets_contains_list: (list(T), list(T)) -> bool": containsAll },
  "sets.equivalent": { "list_sets_equivalent_list: (list(T), list(T)) -> bool": equivalent },
  "sets.intersects": { "list_sets_intersects_list: (list(T), list(T)) -> bool": intersects },
});
