import type { ConversionWebhookClientConfig, CustomResourceConversion } from "@rookery/api";
import { FieldError, type FieldPath, repeatedPlaces, validateDns1035Label } from "@rookery/kube";
import { validateCaBundle, validateClientConfig } from "../admissionregistration/client-config.ts";
import { validateEnum } from "./validate-enum.ts";

const strategies = ["None", "Webhook"];
const reviewVersions = ["v1", "v1beta1"];

/** Problems of how versions are converted. `checkCa` is off until the CRD is established. */
export function validateConversion(
  conversion: CustomResourceConversion | undefined,
  path: FieldPath,
  { checkCa }: { readonly checkCa: boolean },
): FieldError[] {
  if (!conversion) return [];
  const { strategy = "", webhook } = conversion;
  const [config, versions] = [webhook?.clientConfig, webhook?.conversionReviewVersions ?? []];
  const [configPath, versionsPath] = [
    path.child("webhookClientConfig"),
    path.child("conversionReviewVersions"),
  ];
  const errors = validateEnum(strategy, strategies, path.child("strategy"));
  if (strategy === "Webhook") {
    return [
      ...errors,
      ...validateConfig(config, configPath, checkCa),
      ...validateReviewVersions(versions, versionsPath),
    ];
  }
  const unwanted = "should not be set when strategy is not set to Webhook";
  return [
    ...errors,
    ...(config ? [FieldError.forbidden(configPath, unwanted)] : []),
    ...(versions.length > 0 ? [FieldError.forbidden(versionsPath, unwanted)] : []),
  ];
}

function validateConfig(
  config: ConversionWebhookClientConfig | undefined,
  path: FieldPath,
  checkCa: boolean,
): FieldError[] {
  if (!config) return [FieldError.required(path, "required when strategy is set to Webhook")];
  const { caBundle } = config;
  return [
    ...validateClientConfig(config, path),
    ...(caBundle && checkCa ? validateCaBundle(caBundle, path.child("caBundle")) : []),
  ];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0) return [FieldError.required(path, "")];
  const repeated = repeatedPlaces(versions);
  const errors = versions.flatMap((version, index) =>
    repeated.has(index)
      ? [FieldError.invalid(path.index(index), version, "duplicate version")]
      : validateDns1035Label(version).map((problem) =>
          FieldError.invalid(path.index(index), version, problem),
        ),
  );
  if (versions.some((version) => reviewVersions.includes(version))) return errors;
  const detail = `must include at least one of ${reviewVersions.join(", ")}`;
  return [...errors, FieldError.invalid(path, versions, detail)];
}
