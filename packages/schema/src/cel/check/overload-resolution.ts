import { type CelType, DYN } from "../cel-type.ts";
import type { FunctionDeclaration, Overload } from "../functions/declare.ts";
import { TypeBindings } from "./type-bindings.ts";

export interface CallShape {
  readonly declaration: FunctionDeclaration;
  readonly args: readonly CelType[];
  readonly target: CelType | undefined;
  /** A fresh type parameter. */
  newParameter(): CelType;
}

export interface Resolution {
  readonly overloads: readonly string[];
  readonly result: CelType;
}

/** The matching overloads, or an error message. */
export function resolveOverloads(call: CallShape, bindings: TypeBindings): Resolution | string {
  const given = call.target ? [call.target, ...call.args] : call.args;
  const overloads: string[] = [];
  let result: CelType | undefined;
  for (const overload of call.declaration.overloads) {
    if (overload.member !== (call.target !== undefined)) continue;
    const fresh = withFreshParameters(overload, call);
    if (!bindings.isAssignable(given, fresh.args)) continue;
    overloads.push(overload.id);
    result = join(result, bindings.substitute(fresh.result, false));
  }
  return result ? { overloads, result } : noMatch(call, given, bindings);
}

/** Overloads with different results return dyn. */
function join(previous: CelType | undefined, next: CelType): CelType {
  if (!previous) return next;
  return previous.kind === "dyn" || next.isExactly(previous) ? previous : DYN;
}

function withFreshParameters(
  overload: Overload,
  call: CallShape,
): Pick<Overload, "args" | "result"> {
  const names = new Set([...overload.args, overload.result].flatMap(parameterNames));
  if (names.size === 0) return overload;
  const fresh = new TypeBindings();
  for (const name of names) fresh.bind(name, call.newParameter());
  return {
    args: overload.args.map((type) => fresh.substitute(type, false)),
    result: fresh.substitute(overload.result, false),
  };
}

function parameterNames(type: CelType): readonly string[] {
  return type.kind === "typeParam" ? [type.name] : type.params.flatMap(parameterNames);
}

function noMatch(call: CallShape, given: readonly CelType[], bindings: TypeBindings): string {
  const types = given.map((type) => bindings.substitute(type, true));
  const [target, ...rest] = types;
  const signature = call.target ? `${target}.(${rest.join(", ")})` : `(${types.join(", ")})`;
  return `found no matching overload for '${call.declaration.name}' applied to '${signature}'`;
}
