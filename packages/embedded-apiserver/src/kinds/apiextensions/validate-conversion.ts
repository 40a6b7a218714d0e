import type { ConversionWebhookClientConfig, CustomResourceConversion } from "@rookery/api";
import { clientConfig, validCaBundle } from "../admissionregistration/client-config.ts";
import { reviewVersions } from "../admissionregistration/webhook-rules.ts";
import { oneOf } from "../meta/checks.ts";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";

const strategyRule = required(oneOf("None", "Webhook"));
const versionsRule = reviewVersions();

interface CaScope {
  /** Whether the authorities of a conversion webhook have to be valid: once the CRD is established. */
  readonly checkCa: boolean;
}

/** Go: validateCustomResourceConversion. */
export function conversion(own: CustomResourceConversion, field: Field<CaScope>): void {
  const { strategy = "", webhook } = own;
  const { clientConfig: config, conversionReviewVersions: versions } = webhook ?? {};
  const configField = field.child("webhookClientConfig");
  const versionsField = field.child("conversionReviewVersions");
  strategyRule(strategy, field.child("strategy"));
  if (strategy === "Webhook") {
    if (config) webhookConfig(config, configField);
    else configField.required("required when strategy is set to Webhook");
    versionsRule(versions, versionsField);
    return;
  }
  const unwanted = "should not be set when strategy is not set to Webhook";
  if (config) configField.forbidden(unwanted);
  if (versions?.length) versionsField.forbidden(unwanted);
}

function webhookConfig(config: ConversionWebhookClientConfig, field: Field<CaScope>): void {
  clientConfig(config, field);
  if (config.caBundle && field.scope.checkCa) {
    validCaBundle(config.caBundle, field.child("caBundle"));
  }
}
