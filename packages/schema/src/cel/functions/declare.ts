import type { CelType } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import type { Value } from "../values/value.ts";

export type Implementation = (args: readonly Value[], meter: Meter) => Value;

/** One signature of a function; the first argument of a member is what it is called on. */
export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Missing where the function has one implementation for all of its overloads. */
  readonly implementation?: Implementation;
}

/** A function with all of its signatures. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for all overloads, which refuses by itself what it does not take. `accepts`
   * says whether the type of the first argument has the operation at all.
   */
  readonly singleton?: { readonly call: Implementation; accepts(first: Value): boolean };
  /** The implementation checks its arguments itself: wrong ones end in a bare "no such overload". */
  readonly unguarded?: boolean;
}

type Signature = readonly [id: string, args: readonly CelType[], result: CelType];

export function overload(signature: Signature, implementation?: Implementation): Overload {
  return make(signature, false, implementation);
}

export function member(signature: Signature, implementation?: Implementation): Overload {
  return make(signature, true, implementation);
}

function make(
  [id, args, result]: Signature,
  isMember: boolean,
  implementation: Implementation | undefined,
): Overload {
  const base = { id, member: isMember, args, result };
  return implementation ? { ...base, implementation } : base;
}
