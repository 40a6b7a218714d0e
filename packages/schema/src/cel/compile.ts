import { messageOf } from "@rookery/errors";
import { BOOL, type CelType } from "./cel-type.ts";
import type { Declarations } from "./check/checked.ts";
import { check } from "./check/checker.ts";
import { checkLiterals } from "./check/literal-checks.ts";
import type { Bounds } from "./cost/bounds.ts";
import { estimateCost } from "./cost/estimator.ts";
import type { SizeAt } from "./cost/known-sizes.ts";
import { plan } from "./evaluate/planner.ts";
import { RootScope } from "./evaluate/scope.ts";
import type { Meter } from "./meter.ts";
import { parse } from "./syntax/parser.ts";
import type { Value } from "./values/value.ts";

/** A compiled expression. */
export interface Program {
  readonly type: CelType;
  /** The static estimate of one evaluation. */
  readonly cost: Bounds;
  /** The names of all variables that it reads. */
  readonly variables: ReadonlySet<string>;
  /** Throws CostLimitExceeded; other failures are returned as a CelError. */
  evaluate(variables: ReadonlyMap<string, Value>, meter: Meter): Value;
}

/** A failed compilation; `phase` decides Kubernetes' wording. */
export interface CompileFailure {
  readonly phase: "compilation" | "instantiation";
  readonly message: string;
}

/** Compiles an expression; `sizeAt` returns the sizes of its data. */
export function compile(
  text: string,
  declarations: Declarations,
  sizeAt: SizeAt,
): Program | CompileFailure {
  const parsed = parse(text);
  const checked = check(parsed, declarations);
  if (checked) checkLiterals(checked, parsed.issues);
  if (!checked || parsed.issues.any) {
    return { phase: "compilation", message: parsed.issues.toString() };
  }
  try {
    const step = plan(checked);
    return {
      type: checked.types.get(checked.expr.id) ?? BOOL,
      cost: estimateCost(checked, sizeAt),
      variables: new Set(checked.names.values()),
      evaluate: (variables, meter) => step(new RootScope(meter, variables)),
    };
  } catch (error) {
    return {
      phase: "instantiation",
      message: messageOf(error),
    };
  }
}
