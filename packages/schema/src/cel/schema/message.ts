import type { Program } from "../compile.ts";
import { trimSpace } from "../functions/code-points.ts";
import { CostLimitExceeded, type Meter } from "../meter.ts";
import { CelError, type Value } from "../values/value.ts";

const MAX_BYTES = 5 * 1024;
const utf8 = new TextEncoder();

/** The message that an expression gives; undefined where it gives none that can be used. */
export type MessageResult =
  | { readonly message: string | undefined; readonly cost: number }
  | { readonly fatal: "budget" | "limit" };

/** Evaluates a messageExpression after its rule failed. */
export function evaluateMessage(
  program: Program,
  variables: ReadonlyMap<string, Value>,
  { meter, budget }: { readonly meter: Meter; readonly budget: number },
): MessageResult {
  try {
    const value = program.evaluate(variables, meter);
    if (meter.cost > budget) return { fatal: "budget" };
    return { message: usable(value), cost: meter.cost };
  } catch (error) {
    if (!(error instanceof CostLimitExceeded)) throw error;
    return { fatal: meter.cost > budget ? "budget" : "limit" };
  }
}

/** One line that is neither empty nor too long. */
function usable(value: Value): string | undefined {
  if (value instanceof CelError || typeof value !== "string") return undefined;
  const text = trimSpace(value);
  const fits = text !== "" && !text.includes("\n") && utf8.encode(text).length <= MAX_BYTES;
  return fits ? text : undefined;
}
