import type { CelType } from "../cel-type.ts";
import type { FunctionDeclaration, Implementation, Overload } from "../functions/declare.ts";
import { CelError, CelList, CelMap, typeOf, type Value } from "../values/value.ts";

/**
 * The implementation of a call. With one overload left by the type checker it is that one; with
 * several (an argument is dyn) the first that takes the values at hand.
 */
export function implementationOf(
  declaration: FunctionDeclaration,
  overloads: readonly string[],
): Implementation {
  const { singleton } = declaration;
  if (singleton) {
    return (args, meter) =>
      singleton.accepts(args[0] ?? null)
        ? singleton.call(args, meter)
        : new CelError(`no such overload: ${declaration.name}`);
  }
  const only = overloads.length === 1 ? overloads[0] : undefined;
  const candidates = declaration.overloads.filter(({ id }) => only === undefined || id === only);
  return (args, meter) => {
    const match = candidates.find((candidate) => accepts(candidate, args, declaration));
    return match?.implementation?.(args, meter) ?? noSuchOverload(declaration.name, args);
  };
}

function accepts(
  overload: Overload,
  args: readonly Value[],
  declaration: FunctionDeclaration,
): boolean {
  if (overload.args.length !== args.length) return false;
  if (declaration.unguarded) return true;
  return overload.args.every((type, i) => isInstance(args[i] ?? null, type));
}

/** Of a list or map only the first element is looked at. */
function isInstance(value: Value, type: CelType): boolean {
  if (type.kind === "dyn" || type.kind === "typeParam") return true;
  if (typeOf(value).name !== type.name) return false;
  if (value instanceof CelList) return value.size === 0 || isInstance(value.at(0), type.param(0));
  if (value instanceof CelMap) return isInstanceMap(value, type);
  return true;
}

function isInstanceMap(map: CelMap, type: CelType): boolean {
  for (const key of map.keys()) {
    const value = map.find(key) ?? null;
    return isInstance(key, type.param(0)) && isInstance(value, type.param(1));
  }
  return true;
}

function noSuchOverload(name: string, args: readonly Value[]): CelError {
  const types = args.map((arg) => typeOf(arg).name);
  return new CelError(`no such overload: ${name}(${types.join(", ")})`);
}
