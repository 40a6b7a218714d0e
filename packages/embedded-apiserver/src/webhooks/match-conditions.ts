import type { AdmissionAttributes } from "@rookery/apiserver";
import { forbiddenError } from "@rookery/kube";
import type { JSONObject, JSONValue, VariableValue } from "@rookery/schema";
import { admissionRequest, type Invocation } from "./admission-review.ts";
import { authorizerVariables, type Decide } from "./condition-authorizer.ts";
import type { RegisteredCondition, RegisteredWebhook } from "./registered-webhooks.ts";

const costPerCondition = 1_000_000;
const costOfAll = 2_500_000;

/**
 * Whether all conditions of a webhook are true. If a condition fails, returns false or throws Forbidden,
 * by the failure policy.
 */
export function conditionsHold(
  { conditions, webhook }: RegisteredWebhook,
  question: Question,
): boolean {
  if (conditions.length === 0) return true;
  const { attributes } = question;
  const outcome = evaluateAll(conditions, variablesOf(question));
  if (outcome === true || outcome === false) return outcome;
  if (webhook.failurePolicy === "Ignore") return false;
  const { resource, name } = attributes;
  const why = outcome.length > 1 ? `[${outcome.join(", ")}]` : (outcome[0] ?? "");
  throw forbiddenError(resource, name, why);
}

interface Question {
  readonly attributes: AdmissionAttributes;
  readonly invocation: Invocation;
  readonly decide: Decide;
}

type Variables = Readonly<Record<string, VariableValue>>;

/** Returns the errors if no condition is false. */
function evaluateAll(
  conditions: readonly RegisteredCondition[],
  variables: Variables,
): boolean | readonly string[] {
  const errors: string[] = [];
  let budget = costOfAll;
  for (const condition of conditions) {
    const { result, cost } = evaluate(condition, variables, budget);
    if (cost > budget) return [outOfBudget];
    budget -= cost;
    if (result === false) return false;
    if (typeof result === "string") errors.push(result);
  }
  return errors.length > 0 ? [...new Set(errors)] : true;
}

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

function evaluate(
  { expression, compiled }: RegisteredCondition,
  variables: Variables,
  budget: number,
): { readonly result: boolean | string; readonly cost: number } {
  const program = compiled();
  if (typeof program === "string") return { result: `compilation error: ${program}`, cost: 0 };
  const { result, cost } = program.evaluate(variables, Math.min(costPerCondition, budget + 1));
  if (typeof result === "boolean") return { result, cost };
  return { result: `expression '${expression}' resulted in error: ${result}`, cost };
}

function variablesOf({ attributes, invocation, decide }: Question): Variables {
  const { object, oldObject } = invocation;
  const request = admissionRequest(attributes, invocation);
  const { subresource, name, namespace } = attributes;
  return {
    object: (object ?? null) as JSONValue,
    oldObject: (oldObject ?? null) as JSONValue,
    // kube-apiserver declares the variable for policies and leaves it null for webhooks.
    namespaceObject: null,
    ...authorizerVariables(attributes, decide),
    request: { ...request, subResource: subresource, name, namespace } as unknown as JSONObject,
  };
}
