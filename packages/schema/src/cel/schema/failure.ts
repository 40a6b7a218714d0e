import { FieldError, type FieldPath } from "@rookery/kube";
import type { FieldValueErrorReason } from "../../json-schema-props.ts";
import type { Program } from "../compile.ts";
import { trimSpace } from "../functions/code-points.ts";
import { CostLimitExceeded, type Meter } from "../meter.ts";
import { CelError, type Value } from "../values/value.ts";
import type { CompiledRule } from "./rule.ts";

export function evaluationProblem({ message }: CelError, compiled: CompiledRule): string {
  if (!message.startsWith("no such overload")) {
    return `${message} evaluating rule: ${ruleText(compiled)}`;
  }
  const why =
    "call arguments did not match a supported operator, function or macro signature for rule";
  return `'${message}': ${why}: ${ruleText(compiled)}`;
}

export function fatalText(fatal: "budget" | "limit", { rule }: CompiledRule): string {
  if (fatal === "budget") {
    return "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
  }
  const why =
    "no further validation rules will be run due to call cost exceeds limit for messageExpression";
  return `${why}: ${JSON.stringify(rule.messageExpression)}`;
}

export function ruleText({ rule }: CompiledRule): string {
  return trimSpace(rule.message ? rule.message : rule.rule);
}

export function ruleMessage(compiled: CompiledRule): string {
  const text = ruleText(compiled);
  return compiled.rule.message ? text : `failed rule: ${text}`;
}

export function errorFor(
  reason: FieldValueErrorReason | undefined,
  path: FieldPath,
  [type, message]: readonly [string, string],
): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return FieldError.forbidden(path, message);
    case "FieldValueRequired":
      return FieldError.required(path, message);
    case "FieldValueDuplicate":
      return FieldError.duplicate(path, type);
    default:
      return FieldError.invalid(path, type, message);
  }
}

const MAX_BYTES = 5 * 1024;
const utf8 = new TextEncoder();

/** An undefined message means that the result is unusable. */
type MessageResult =
  | { readonly message: string | undefined; readonly cost: number }
  | { readonly fatal: "budget" | "limit" };

/** Evaluates the messageExpression of a failed rule. */
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
