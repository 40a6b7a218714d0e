import type { JobSpec } from "@rookery/api";
import { quote } from "@rookery/kube";
import { matchedTemplate } from "../apps/workload-rules.ts";
import { labelSelector, nonNegative, oneOf, requiredIf } from "../meta/checks.ts";
import { optional, required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";
import { podTemplate } from "../pod-spec/index.ts";
import { goStruct } from "../pod-spec/internal-form.ts";
import { completionMode } from "./completion-mode.ts";
import { managedBy } from "./managed-by.ts";
import { podFailurePolicy } from "./pod-failure-policy.ts";
import { successPolicy } from "./success-policy.ts";

const count = optional(nonNegative);
const restartPolicies = ["OnFailure", "Never"];
const replacement = optional(oneOf("Failed", "TerminatingOrFailed"));
const replacementOfPolicy = optional(oneOf("Failed"));

function policies(spec: JobSpec, field: Field): void {
  const { podReplacementPolicy, successPolicy: success } = spec;
  const successField = field.child("successPolicy");
  const replacements = spec.podFailurePolicy ? replacementOfPolicy : replacement;
  if (spec.podFailurePolicy) podFailurePolicy(spec, field.child("podFailurePolicy"));
  if (success && spec.completionMode === "Indexed") successPolicy(spec, successField);
  else if (success) {
    const detail = "requires indexed completion mode";
    successField.invalid(goStruct("SuccessPolicy", success), detail);
  }
  replacements(podReplacementPolicy, field.child("podReplacementPolicy"));
}

/** Pods of a job end: a policy that always starts them again counts as missing. */
function restartPolicy(spec: JobSpec, field: Field): void {
  const policy = spec.template?.spec?.restartPolicy ?? "";
  const at = field.child("template", "spec", "restartPolicy");
  if (policy === "" || policy === "Always") {
    at.required(`valid values: ${restartPolicies.map(quote).join(", ")}`);
  } else if (!restartPolicies.includes(policy)) at.notSupported(policy, restartPolicies);
  else if (spec.podFailurePolicy && policy !== "Never") {
    at.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

/** Go: validateJobSpec. A job in a CronJob has no selector yet. */
export const jobWork: Rules<JobSpec> = [
  {
    parallelism: count,
    completions: count,
    activeDeadlineSeconds: count,
    backoffLimit: count,
    ttlSecondsAfterFinished: count,
    backoffLimitPerIndex: count,
    maxFailedIndexes: count,
  },
  requiredIf(
    "backoffLimitPerIndex",
    ({ maxFailedIndexes, backoffLimitPerIndex }) =>
      maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined,
    "when maxFailedIndexes is specified",
  ),
  { managedBy: optional(managedBy) },
  completionMode,
  policies,
  { template: struct(podTemplate) },
  restartPolicy,
];

/** Go: ValidateJobSpec. The selector is the client's or a generated one. */
export const jobSpec = ruleOf<JobSpec>([
  jobWork,
  { selector: required(labelSelector) },
  matchedTemplate,
]);
