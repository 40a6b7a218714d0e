import type { MutatingWebhook } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  repeatedPlaces,
  validateDns1035Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { validateSelector } from "../meta/label-selectors.ts";
import { validateClientConfig } from "./client-config.ts";
import { validateMatchConditions } from "./match-conditions.ts";
import { validateRule } from "./validate-rules.ts";

/** What both kinds of webhooks have; validating ones have no reinvocationPolicy. */
export type Webhook = MutatingWebhook;

const reviewVersions = ["v1", "v1beta1"];
const sideEffectClasses = ["None", "NoneOnDryRun"];

/** Fills in what a webhook does not say. */
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

/** Problems of the webhooks of a configuration, in kube-apiserver's order. */
export function validateWebhooks(webhooks: readonly Webhook[]): FieldError[] {
  const names = webhooks.map(({ name = "" }) => name);
  return webhooks.flatMap((webhook, index) => {
    const path = fieldPath("webhooks").index(index);
    const { name = "" } = webhook;
    return [
      ...validateWebhook(webhook, path),
      ...validateReviewVersions(
        webhook.admissionReviewVersions ?? [],
        path.child("admissionReviewVersions"),
      ),
      ...(name !== "" && names.indexOf(name) < index
        ? [FieldError.duplicate(path.child("name"), name)]
        : []),
    ];
  });
}

function validateWebhook(webhook: Webhook, path: FieldPath): FieldError[] {
  const { failurePolicy, matchPolicy, reinvocationPolicy } = webhook;
  return [
    ...validateName(webhook.name ?? "", path.child("name")),
    ...(webhook.rules ?? []).flatMap((rule, index) =>
      validateRule(rule, path.child("rules").index(index)),
    ),
    ...oneOf(failurePolicy, ["Fail", "Ignore"], path.child("failurePolicy")),
    ...oneOf(matchPolicy, ["Equivalent", "Exact"], path.child("matchPolicy")),
    ...validateSideEffects(webhook.sideEffects, path.child("sideEffects")),
    ...validateTimeout(webhook.timeoutSeconds, path.child("timeoutSeconds")),
    ...validateSelector(webhook.namespaceSelector, path.child("namespaceSelector")),
    ...validateSelector(webhook.objectSelector, path.child("objectSelector")),
    ...oneOf(reinvocationPolicy, ["IfNeeded", "Never"], path.child("reinvocationPolicy")),
    ...validateClientConfig(webhook.clientConfig ?? {}, path.child("clientConfig")),
    ...validateMatchConditions(webhook.matchConditions ?? [], path.child("matchConditions")),
  ];
}

function validateName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [FieldError.required(path, "")];
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) return [FieldError.invalid(path, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  const detail = "should be a domain with at least three segments separated by dots";
  return [FieldError.invalid(path, name, detail)];
}

function oneOf(
  value: string | undefined,
  accepted: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (value === undefined || accepted.includes(value)) return [];
  return [FieldError.notSupported(path, value, accepted)];
}

function validateSideEffects(value: string | undefined, path: FieldPath): FieldError[] {
  if ((value ?? undefined) !== undefined) return oneOf(value, sideEffectClasses, path);
  return [FieldError.required(path, `must specify one of ${sideEffectClasses.join(", ")}`)];
}

function validateTimeout(seconds: number | undefined, path: FieldPath): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= 30)) return [];
  const detail = "the timeout value must be between 1 and 30 seconds";
  return [FieldError.invalid(path, seconds, detail)];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) return [FieldError.required(path, `must specify one of ${known}`)];
  const repeated = repeatedPlaces(versions);
  const errors = versions.flatMap((version, index) =>
    repeated.has(index)
      ? [FieldError.invalid(path.index(index), version, "duplicate version")]
      : validateDns1035Label(version).map((problem) =>
          FieldError.invalid(path.index(index), version, problem),
        ),
  );
  if (versions.some((version) => reviewVersions.includes(version))) return errors;
  return [...errors, FieldError.invalid(path, versions, `must include at least one of ${known}`)];
}
