import type { ResolvedCall } from "../check/checked.ts";
import { callCost } from "../cost/call-cost.ts";
import { CONVERSION_NAMES } from "../functions/conversions.ts";
import { FUNCTIONS } from "../functions/library.ts";
import { patternOf } from "../functions/pattern.ts";
import { Meter } from "../meter.ts";
import { CelError, type Value } from "../values/value.ts";
import { implementationOf } from "./dispatch.ts";
import { constantMembership } from "./membership.ts";
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

/** The conversion of a constant is done once and for all; a failing one makes no program. */
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
  // With up to two arguments all are evaluated, and paid for, before an error counts.
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
