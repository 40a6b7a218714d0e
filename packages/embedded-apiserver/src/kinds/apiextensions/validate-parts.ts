import type {
  BuiltInCustomResourceDefinitionVersion,
  ConversionWebhookClientConfig,
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceSubresources,
} from "@rookery/api";
import { validateDns1035Label } from "@rookery/kube";
import { clientConfig, validCaBundle } from "../admissionregistration/client-config.ts";
import { reviewVersions } from "../admissionregistration/webhook-rules.ts";
import { format, joinedFormat, matches, oneOf } from "../meta/checks.ts";
import { each, firstOf, named, required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";

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

export const joinedLabel = joinedFormat(validateDns1035Label, ",");

const mixedCase = unlessEmpty<string>(
  format((name) => {
    const problems = validateDns1035Label(name.toLowerCase());
    const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
    return problems.length === 0 ? [] : [detail];
  }),
);

const rules: Rules<CustomResourceDefinitionNames> = [
  {
    plural: unlessEmpty(joinedLabel),
    singular: unlessEmpty(joinedLabel),
    kind: mixedCase,
    listKind: mixedCase,
    shortNames: each(joinedLabel),
  },
  ({ kind, listKind }, field) => {
    if (!kind || kind !== listKind) return;
    field.child("listKind").invalid(kind, "kind and listKind may not be the same");
  },
  { categories: each(joinedLabel) },
];

/** Go: ValidateCustomResourceDefinitionNames. Only the spec requires names. */
export const names = ruleOf<CustomResourceDefinitionNames>(rules);

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];

/** A closed set, in other words than those of most kinds. */
function listed(values: readonly string[]): Rule<string | undefined> {
  return matches((value) => values.includes(value), `must be one of ${values.join(",")}`);
}

const simplePath = matches(
  (text) => text.startsWith("."),
  "must be a simple json path starting with .",
);

/** Go: ValidateCustomResourceColumnDefinition. */
export const printerColumn: Rules<CustomResourceColumnDefinition> = {
  name: required(),
  type: required(listed(columnTypes), `must be one of ${columnTypes.join(",")}`),
  format: unlessEmpty(listed(columnFormats)),
  jsonPath: named("JSONPath", required(simplePath)),
};

function pathUnder(detail: string, ...roots: readonly string[]): Rule<string> {
  return firstOf<string>(
    simplePath,
    format((text) => (roots.some((root) => text.startsWith(root)) ? [] : [detail])),
  );
}

/** Go: ValidateCustomResourceDefinitionSubresources. */
export const subresources: Rules<CustomResourceSubresources | undefined> = {
  scale: {
    specReplicasPath: required(pathUnder("should be a json path under .spec", ".spec.")),
    statusReplicasPath: required(pathUnder("should be a json path under .status", ".status.")),
    labelSelectorPath: unlessEmpty(
      pathUnder("should be a json path under either .spec or .status", ".spec.", ".status."),
    ),
  },
};

/** The problems of the deprecation warning of a version. */
export function deprecationProblems({
  deprecated,
  deprecationWarning,
}: BuiltInCustomResourceDefinitionVersion): string[] {
  const warning = deprecationWarning ?? undefined;
  if (warning === undefined) return [];
  if (!deprecated) return ["can only be set for deprecated versions"];
  const unprintable = [...warning].findIndex((character) => !isPrintable(character));
  return [
    ...(Buffer.byteLength(warning) > 256 ? ["must be <= 256 characters long"] : []),
    ...(warning === "" ? ["must not be an empty string"] : []),
    ...(unprintable === -1
      ? []
      : [
          `must only contain printable UTF-8 characters; non-printable character found at index ${byteIndex(warning, unprintable)}`,
        ]),
  ];
}

/** Go: unicode.IsPrint. */
function isPrintable(character: string): boolean {
  return character === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}

function byteIndex(text: string, character: number): number {
  return Buffer.byteLength([...text].slice(0, character).join(""));
}
