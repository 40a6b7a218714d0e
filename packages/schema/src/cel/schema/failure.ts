import { FieldError, type FieldPath } from "@rookery/kube";
import type { FieldValueErrorReason } from "../../json-schema-props.ts";
import { trimSpace } from "../functions/code-points.ts";
import type { CelError } from "../values/value.ts";
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
