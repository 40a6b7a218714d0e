import type { MutatingWebhook } from "@rookery/api";
import { validateDns1035Label, validateDns1123Subdomain } from "@rookery/kube";
import { inRange, labelSelector, oneOf, unique } from "../meta/checks.ts";
import { each, firstOf, optional, required, struct, unlessEmpty } from "../meta/combinators.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { clientConfig } from "./client-config.ts";
import { matchConditions } from "./match-conditions.ts";
import { ruleWithOperations } from "./validate-rules.ts";

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
