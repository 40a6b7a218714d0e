import {
  type AdmissionAttributes,
  type Attributes,
  type Decision,
  systemUsers,
  type UserInfo,
} from "@rookery/apiserver";
import { forbiddenError, serviceAccountUser } from "@rookery/kube";
import {
  type AccessQuestion,
  CelAuthorizer,
  CelResourceCheck,
  type JSONObject,
  type JSONValue,
  type VariableValue,
} from "@rookery/schema";
import { admissionRequest, type Invocation } from "./admission-review.ts";
import type { RegisteredCondition, RegisteredWebhook } from "./registered-webhooks.ts";

/** Synchronous, because expressions cannot wait. */
export type Decide = (attributes: Attributes) => Decision;

/** The variables of conditions that check permissions of the user. */
function authorizerVariables(attributes: AdmissionAttributes, decide: Decide) {
  const { user, resource, subresource, namespace, name } = attributes;
  const authorizer = new CelAuthorizer((question) => {
    const { decision, reason = "" } = decideFor(user, question, decide);
    return { allowed: decision === "Allow", reason };
  });
  const { group, resource: plural } = resource;
  const own = { group, resource: plural, subresource, namespace, name };
  return { authorizer, "authorizer.requestResource": new CelResourceCheck(authorizer, own) };
}

function decideFor(user: UserInfo, question: AccessQuestion, decide: Decide): Decision {
  const { verb, target, serviceAccount } = question;
  const asked = serviceAccount ? userOf(serviceAccount) : user;
  if (asked.groups.includes(systemUsers.privilegedGroup)) return { decision: "Allow" };
  const isResourceRequest = !("path" in target);
  return decide({ ...noTarget, ...target, verb, isResourceRequest, user: asked });
}

/**
 * The user of a ServiceAccount, not in the group of authenticated users, like in kube-apiserver.
 */
function userOf({ namespace, name }: NonNullable<AccessQuestion["serviceAccount"]>): UserInfo {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return { name: serviceAccountUser(namespace, name), groups };
}

const noTarget = {
  path: "",
  group: "",
  version: "*",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  fieldSelector: "",
  labelSelector: "",
};

const costPerCondition = 1_000_000;
const costOfAll = 2_500_000;

/**
 * Whether all conditions of a webhook are true. If a condition fails, returns false or throws Forbidden,
 * by the failure policy.
 */
export function conditionsHold(
  { conditions, webhook }: RegisteredWebhook,
  context: ConditionContext,
): boolean {
  if (conditions.length === 0) return true;
  const { attributes } = context;
  const outcome = evaluateAll(conditions, variablesOf(context));
  if (outcome === true || outcome === false) return outcome;
  if (webhook.failurePolicy === "Ignore") return false;
  const { resource, name } = attributes;
  const why = outcome.length > 1 ? `[${outcome.join(", ")}]` : (outcome[0] ?? "");
  throw forbiddenError(resource, name, why);
}

interface ConditionContext {
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

function variablesOf({ attributes, invocation, decide }: ConditionContext): Variables {
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
