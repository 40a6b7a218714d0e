import type { MutatingWebhook, RuleWithOperations } from "@rookery/api";
import { validateDns1035Label, validateDns1123Subdomain } from "@rookery/kube";
import { inRange, labelSelector, oneOf, unique } from "../meta/checks.ts";
import { each, firstOf, optional, required, struct, unlessEmpty } from "../meta/combinators.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { clientConfig } from "./client-config.ts";
import { matchConditions } from "./match-conditions.ts";

type Names = Rule<readonly string[] | undefined>;

/** A star stands for all names and has to be the only item. */
function starAlone(noun: string): Names {
  return required<readonly string[]>((names, field) => {
    if (names.length === 1 || !names.includes("*")) return;
    field.invalid(names, `if '*' is present, must not specify other ${noun}`);
  });
}

/** Names of resources, and of subresources after a slash. */
const resources: Names = (given, field) => {
  const names = given ?? [];
  const whole = names.filter((each) => each !== "" && !each.includes("/"));
  if (names.length === 0) field.required();
  names.forEach((each, i) => {
    if (each === "") field.index(i).required();
    else field.index(i).invalidEach(each, covered(each, names.slice(0, i)));
  });
  if (names.length > 1 && names.includes("*/*")) {
    field.invalid(names, "if '*/*' is present, must not specify other resources");
  }
  // Kubernetes only compares with the last resource.
  if (whole.includes("*") && whole.at(-1) !== "*") {
    const others = "must not specify other resources without subresources";
    field.invalid(names, `if '*' is present, ${others}`);
  }
};

/** The wildcards before a subresource that cover it. */
function covered(each: string, before: readonly string[]): string[] {
  const slash = each.indexOf("/");
  if (slash === -1) return [];
  const wildcards = [`${each.slice(0, slash)}/*`, `*/${each.slice(slash + 1)}`];
  return wildcards
    .filter((wildcard) => before.includes(wildcard))
    .map((wildcard) => `if '${wildcard}' is present, must not specify ${each}`);
}

/** Go: validateRuleWithOperations. */
const ruleWithOperations: Rules<RuleWithOperations> = {
  operations: [starAlone("operations"), each(oneOf("*", "CONNECT", "CREATE", "DELETE", "UPDATE"))],
  apiGroups: starAlone("API groups"),
  apiVersions: [starAlone("API versions"), each(required())],
  resources,
  scope: unlessEmpty(oneOf("*", "Cluster", "Namespaced")),
};

/** The fields of both kinds of webhooks; validating ones have no reinvocationPolicy. */
export type Webhook = MutatingWebhook;

interface Configuration {
  readonly webhooks?: readonly Webhook[];
}

const sideEffects = ["None", "NoneOnDryRun"];

/** Go: SetDefaults_MutatingWebhook and SetDefaults_ValidatingWebhook. */
export function setWebhookDefaults(webhook: Webhook): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
  const service = webhook.clientConfig?.service;
  if (service) service.port ??= 443;
}

/** Go: validation.IsFullyQualifiedName. */
const fullName = required<string>((name, field) => {
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) field.invalid(name, problems.join(","));
  else if (name.split(".").length < 3) {
    field.invalid(name, "should be a domain with at least three segments separated by dots");
  }
});

/** Go: validateAdmissionReviewVersions. This server has to know one of the versions. */
export function reviewVersions(detail = ""): Rule<readonly string[] | undefined> {
  const known = ["v1", "v1beta1"];
  return required<readonly string[]>(
    [
      each(
        firstOf<string>(
          (version, field) => {
            if (field.isRepeated(version)) field.invalid(version, "duplicate version");
          },
          (version, field) => field.invalidEach(version, validateDns1035Label(version)),
        ),
      ),
      (versions, field) => {
        if (versions.some((version) => known.includes(version))) return;
        field.invalid(versions, `must include at least one of ${known.join(", ")}`);
      },
    ],
    detail,
  );
}

/** Go: validateMutatingWebhook and validateValidatingWebhook. */
const webhook: Rules<Webhook> = {
  name: fullName,
  rules: each(ruleWithOperations),
  failurePolicy: optional(oneOf("Fail", "Ignore")),
  matchPolicy: optional(oneOf("Equivalent", "Exact")),
  sideEffects: (value, field) => {
    if ((value ?? undefined) !== undefined) oneOf(...sideEffects)(value, field);
    else field.required(`must specify one of ${sideEffects.join(", ")}`);
  },
  timeoutSeconds: optional(inRange(1, 30, "the timeout value must be between 1 and 30 seconds")),
  namespaceSelector: labelSelector,
  objectSelector: labelSelector,
  reinvocationPolicy: optional(oneOf("IfNeeded", "Never")),
  clientConfig: struct(clientConfig),
  matchConditions,
  admissionReviewVersions: reviewVersions("must specify one of v1, v1beta1"),
};

export const validateWebhooks = validator<Configuration>({
  webhooks: each<Webhook>([webhook, { name: unlessEmpty(unique) }]),
});
