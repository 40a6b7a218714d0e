import type { JobSpec, JobTemplateSpec } from "@rookery/api";
import { quote, validateDns1123Subdomain } from "@rookery/kube";
import { matchedTemplate } from "../apps/workload.ts";
import {
  atMost,
  invalidIf,
  labelSelector,
  maxBytes,
  nonNegative,
  oneOf,
  requiredIf,
  unset,
} from "../meta/checks.ts";
import { optional, required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { regexProblem } from "../meta/formats.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { podTemplateDefaults } from "../pod-spec/defaults.ts";
import { podTemplate } from "../pod-spec/validate-spec.ts";
import { podTemplateWarnings } from "../pod-spec/warnings.ts";
import { podFailurePolicy, successPolicy } from "./pod-failure-policy.ts";

const maxParallelism = 100_000;
const maxFailedIndexesLimit = 100_000;
/** The number of completions above which other limits are lower. */
const manyCompletions = 100_000;
const maxParallelismOfMany = 10_000;
const maxFailedIndexesOfMany = 10_000;
const lessOrEqual = "must be less than or equal to";
const ofMany = `when completions are above ${manyCompletions} and used with backoff limit per index`;

/** Go: validateJobSpec, of an indexed job. */
const indexed = ruleOf<JobSpec>([
  requiredIf(
    "completions",
    ({ completions }) => completions === undefined,
    "when completion mode is Indexed",
  ),
  {
    parallelism: atMost(
      maxParallelism,
      `${lessOrEqual} ${maxParallelism} when completion mode is Indexed`,
    ),
  },
  invalidIf(
    "maxFailedIndexes",
    ({ completions, maxFailedIndexes: failed = 0 }) =>
      completions !== undefined && failed > completions,
    `${lessOrEqual} completions`,
  ),
  { maxFailedIndexes: atMost(maxFailedIndexesLimit, `${lessOrEqual} ${maxFailedIndexesLimit}`) },
]);

const manyIndexes = ruleOf<JobSpec>([
  requiredIf(
    "maxFailedIndexes",
    ({ maxFailedIndexes }) => maxFailedIndexes === undefined,
    `must be specified when completions is above ${manyCompletions}`,
  ),
  {
    parallelism: atMost(maxParallelismOfMany, `${lessOrEqual} ${maxParallelismOfMany} ${ofMany}`),
    maxFailedIndexes: optional(
      atMost(maxFailedIndexesOfMany, `${lessOrEqual} ${maxFailedIndexesOfMany} ${ofMany}`),
    ),
  },
]);

const needsIndexes = unset("requires indexed completion mode");
const unindexed = ruleOf<JobSpec>({
  backoffLimitPerIndex: needsIndexes,
  maxFailedIndexes: needsIndexes,
});

function completionMode(spec: JobSpec, field: Field): void {
  const { completionMode: mode = "NonIndexed", completions = 0, backoffLimitPerIndex } = spec;
  const isMany = completions > manyCompletions && backoffLimitPerIndex !== undefined;
  if (mode === "NonIndexed") unindexed(spec, field);
  else if (mode === "Indexed") {
    indexed(spec, field);
    if (isMany) manyIndexes(spec, field);
  } else field.child("completionMode").notSupported(mode, ["NonIndexed", "Indexed"]);
}

const maxInt32 = 2 ** 31 - 1;

/** Sets the defaults of the spec of a job. */
export function jobSpecDefaults(spec: JobSpec): void {
  if (spec.parallelism === undefined && spec.completions === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
  templateDefaults(spec);
}

/** Sets the defaults of the job template of a CronJob; the other defaults are set in each job. */
export function jobTemplateDefaults(template: JobTemplateSpec): void {
  template.spec ??= {};
  templateDefaults(template.spec);
}

function templateDefaults(spec: JobSpec): void {
  spec.template ??= {};
  podTemplateDefaults(spec.template);
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions ?? []) pattern.status ||= "True";
  }
}

const muchParallelism = 10_000;

export const jobSpecWarnings = ruleOf<JobSpec | undefined>([
  optional(({ completionMode, completions = 0, parallelism = 0 }, field) => {
    const isLarge = completions > manyCompletions && parallelism > muchParallelism;
    if (completionMode !== "Indexed" || !isLarge) return;
    field.warn(
      "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail",
    );
  }),
  { template: podTemplateWarnings },
]);

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${pathFormat}$`);

/** Go: IsDomainPrefixedPath. Errors show the invalid part. */
const prefixedPath: Rule<string> = (value, field) => {
  const slash = value.indexOf("/");
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash < 1 || rest === "") {
    return field.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  field.invalidEach(host, validateDns1123Subdomain(host));
  if (!pathPattern.test(rest)) field.invalid(rest, regexProblem("Invalid path", pathFormat, []));
};

/** The controller of a job, such as "example.com/controller". */
const managedBy: Rules<string> = [required(prefixedPath), maxBytes(63)];

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

/** The policy "Always" counts as absent, because the pods of a job terminate. */
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

/** Go: ValidateJobSpec. */
export const jobSpec = ruleOf<JobSpec>([
  jobWork,
  { selector: required(labelSelector) },
  matchedTemplate,
]);
