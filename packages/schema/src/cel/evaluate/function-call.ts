import type { CelType } from "../cel-type.ts";
import type { ResolvedCall } from "../check/checked.ts";
import { callCost } from "../cost/call-cost.ts";
import { CONVERSION_NAMES } from "../functions/conversions.ts";
import type { FunctionDeclaration, Implementation, Overload } from "../functions/declare.ts";
import { FUNCTIONS } from "../functions/library.ts";
import { patternOf } from "../functions/pattern.ts";
import { Meter } from "../meter.ts";
import { CelError, CelList, CelMap, typeOf, type Value } from "../values/value.ts";
import { keyId } from "../values/value-map.ts";
import { absent, constant, type Plan, PlanError, stepsOf } from "./plan.ts";
import { RootScope, type Step } from "./scope.ts";

export function planFunction(resolved: ResolvedCall, args: readonly Plan[]): Plan {
  const declaration = FUNCTIONS.get(resolved.fn);
  if (!declaration) throw new PlanError(`no such overload: ${resolved.fn}`);
  const overload = resolved.overloads.length === 1 ? (resolved.overloads[0] ?? "") : "";
  checkConstantPattern(resolved.fn, args[1]?.constant);
  if (overload === "in_list") {
    const membership = constantMembership(args[0]?.evaluate ?? absent, args[1]?.constant);
    if (membership) return { evaluate: membership };
  }
  const call = strictCall(
    { fn: resolved.fn, overload },
    implementationOf(declaration, resolved.overloads),
    args,
  );
  if (CONVERSION_NAMES.has(resolved.fn) && args.length === 1 && args[0]?.constant !== undefined) {
    return foldConversion(call);
  }
  return { evaluate: call };
}

function checkConstantPattern(fn: string, pattern: Value | undefined): void {
  if ((fn !== "find" && fn !== "findAll") || typeof pattern !== "string") return;
  const { problem } = patternOf(pattern);
  if (problem !== "") throw new PlanError(problem);
}

/** Evaluates the conversion of a constant at compile time; a failure prevents the program. */
function foldConversion(call: Step): Plan {
  const value = call(new RootScope(new Meter(Number.POSITIVE_INFINITY), new Map()));
  if (value instanceof CelError) throw new PlanError(value.message);
  return constant(value);
}

function strictCall(
  { fn, overload }: { readonly fn: string; readonly overload: string },
  call: ReturnType<typeof implementationOf>,
  plans: readonly Plan[],
): Step {
  const steps = stepsOf(plans);
  // Up to two arguments are all evaluated and charged before an error counts.
  const stopsAtError = steps.length > 2;
  return (scope) => {
    const args: Value[] = [];
    let error: CelError | undefined;
    for (const step of steps) {
      const value = step(scope);
      args.push(value);
      if (value instanceof CelError) error ??= value;
      if (error && stopsAtError) break;
    }
    for (const arg of args) scope.meter.read(arg);
    const result = error ?? call(args, scope.meter);
    if (args.length === steps.length) {
      scope.meter.charge(callCost({ fn, overload, args, result }, scope.meter));
    }
    return result;
  };
}

/**
 * The implementation of a call: the only overload left by the type checker, or, for dyn arguments,
 * the first that accepts the values.
 */
function implementationOf(
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

/** Checks only the first element of lists and maps. */
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

/**
 * `x in [constants]` as a lookup without cost beyond `x`; undefined where the list is not constant
 * or has elements that are no keys.
 */
function constantMembership(element: Step, list: Value | undefined): Step | undefined {
  if (!(list instanceof CelList)) return undefined;
  if (list.size === 0) return () => false;
  const members = new Set<string>();
  for (const member of list) {
    const id = keyId(member);
    if (id === undefined) return undefined;
    members.add(id);
  }
  return (scope) => {
    const value = element(scope);
    if (value instanceof CelError) return value;
    scope.meter.read(value);
    const id = keyId(value);
    return id !== undefined && members.has(id);
  };
}
