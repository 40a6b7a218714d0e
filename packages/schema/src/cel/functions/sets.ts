import { BOOL, listOf, typeParam } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import type { CelError } from "../values/cel-error.ts";
import type { CelList } from "../values/cel-list.ts";
import { type FunctionDeclaration, type Implementation, overload } from "./declare.ts";

const LIST_T = listOf(typeParam("T"));

function containsAll(list: CelList, sublist: CelList, meter: Meter): boolean | CelError {
  for (const element of sublist) {
    const found = list.contains(element, meter);
    if (found !== true) return found;
  }
  return true;
}

const contains: Implementation = ([list, sublist], meter) =>
  containsAll(list as CelList, sublist as CelList, meter);

const equivalent: Implementation = ([left, right], meter) => {
  const forth = containsAll(left as CelList, right as CelList, meter);
  return forth === true ? containsAll(right as CelList, left as CelList, meter) : forth;
};

const intersects: Implementation = ([left, right], meter) => {
  for (const element of left as CelList) {
    if ((right as CelList).contains(element, meter) === true) return true;
  }
  return false;
};

function setFunction(name: string, call: Implementation): FunctionDeclaration {
  const id = `list_sets_${name}_list`;
  return { name: `sets.${name}`, overloads: [overload([id, [LIST_T, LIST_T], BOOL], call)] };
}

/** The sets extension: lists taken as sets. */
export const SET_FUNCTIONS: readonly FunctionDeclaration[] = [
  setFunction("contains", contains),
  setFunction("equivalent", equivalent),
  setFunction("intersects", intersects),
];
