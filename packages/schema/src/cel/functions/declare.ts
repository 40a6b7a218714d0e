import {
  type CelType,
  DYN,
  LANGUAGE_TYPES,
  listOf,
  mapOf,
  optionalOf,
  typeOfType,
  typeParam,
} from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import type { Value } from "../values/value.ts";

export type Implementation = (args: readonly Value[], meter: Meter) => Value;

/** One signature of a function; the first argument of a member is its receiver. */
export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Missing where the function has one implementation for all of its overloads. */
  readonly implementation?: Implementation;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for all overloads, which rejects unsupported arguments by itself. `accepts`
   * returns whether the type of the first argument has the operation at all.
   */
  readonly singleton?: { readonly call: Implementation; accepts(first: Value): boolean };
  /** The implementation checks its arguments itself: wrong ones end in a bare "no such overload". */
  readonly unguarded?: boolean;
}

/** Types of a library by the names that its signatures use. */
type Types = Readonly<Record<string, CelType>>;

/** The overload guarantees the types of the arguments, so implementations name their own. */
type Overloads = Readonly<Record<string, (args: never, meter: Meter) => Value>>;

/**
 * Declares functions by name, with the implementation of each overload by its signature:
 * `"string_char_at_int: string.(int) -> string"`, or `"string_to_ip: (string) -> IP"` for a function
 * without a receiver. Single capital letters are type parameters.
 */
export function declareFunctions(
  functions: Readonly<Record<string, Overloads>>,
  types: Types = {},
): readonly FunctionDeclaration[] {
  return Object.entries(functions).map(([name, overloads]) => ({
    name,
    overloads: Object.entries(overloads).map(([signature, implementation]) => ({
      ...overloadOf(signature, types),
      implementation: implementation as Implementation,
    })),
  }));
}

/** The overloads of a function with one implementation for all of them, by their signatures. */
export function overloadsOf(...signatures: readonly string[]): readonly Overload[] {
  return signatures.map((signature) => overloadOf(signature, {}));
}

const SIGNATURE = /^(\S+): (?:([^.]+)\.)?\((.*)\) -> (.+)$/;

function overloadOf(signature: string, types: Types): Overload {
  const [, id = "", receiver, args = "", result = ""] = SIGNATURE.exec(signature) ?? [];
  const given = receiver === undefined ? args : `${receiver}, ${args}`;
  return {
    id,
    member: receiver !== undefined,
    args: typesIn(given, types),
    result: typeNamed(result, types),
  };
}

/** A name with parameters in parentheses, which may have parameters themselves. */
const TYPE = /[^,()\s]+(?:\((?:[^()]|\([^()]*\))*\))?/g;

function typesIn(list: string, types: Types): readonly CelType[] {
  return (list.match(TYPE) ?? []).map((text) => typeNamed(text, types));
}

function typeNamed(text: string, types: Types): CelType {
  const [, name = "", list = ""] = /^(\w+)(?:\((.+)\))?$/.exec(text) ?? [];
  const [first = DYN, second = DYN] = typesIn(list, types);
  switch (name) {
    case "dyn":
      return DYN;
    case "list":
      return listOf(first);
    case "map":
      return mapOf(first, second);
    case "optional":
      return optionalOf(first);
    case "type":
      return typeOfType(first);
    default:
      return types[name] ?? LANGUAGE_TYPES.find((type) => String(type) === name) ?? typeParam(name);
  }
}
