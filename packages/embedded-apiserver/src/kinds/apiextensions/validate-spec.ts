import type {
  BuiltInCustomResourceDefinitionVersion,
  CustomResourceColumnDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceSubresources,
  CustomResourceValidation,
} from "@rookery/api";
import { FieldError, validateDns1123Subdomain } from "@rookery/kube";
import { checkStructural } from "@rookery/schema";
import { format, oneOf } from "../meta/checks.ts";
import { each, optional, required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { goStruct } from "../meta/internal-form.ts";
import { ruleOf } from "../meta/rules.ts";
import {
  hasAnyStatus,
  hasStatus,
  type InternalSpec,
  internalSpecOf,
  subresourcesOf,
} from "./internal-spec.ts";
import { someSchema } from "./schemas.ts";
import {
  conversion,
  deprecationProblems,
  joinedLabel,
  names,
  printerColumn,
  subresources,
} from "./validate-parts.ts";
import { selectableFields } from "./validate-selectable-fields.ts";

interface SpecScope {
  /** Whether the authorities of a conversion webhook have to be valid. */
  readonly checkCa: boolean;
}

const group = required<string>(
  format((name) => {
    const problems = validateDns1123Subdomain(name);
    if (problems.length > 0) return [problems.join(",")];
    return name.includes(".") ? [] : ["should be a domain with at least one dot"];
  }),
);
const scope = required(oneOf("Cluster", "Namespaced"));
interface Parts {
  readonly subresources?: CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
}

const parts = ruleOf<Parts>({
  subresources,
  additionalPrinterColumns: each(printerColumn),
});
const needed = required();
const requiredNames = ruleOf<CustomResourceDefinitionNames>({
  plural: needed,
  singular: needed,
  kind: needed,
  listKind: needed,
});
const anyConversion = optional(conversion);
const optionalLabel = unlessEmpty(joinedLabel);

/** Go: validateCustomResourceDefinitionSpec, in the order and under the paths of kube-apiserver. */
export function crdSpec(source: CustomResourceDefinitionSpec, field: Field<SpecScope>): void {
  const spec = internalSpecOf(source);
  const versions = field.child("versions");
  group(source.group, field.child("group"));
  scope(source.scope, field.child("scope"));
  missingSchemas(spec, versions);
  preservedDefaults(source, field.child("preserveUnknownFields"));
  spec.versions.forEach((version, i) => {
    crdVersion(version, spec, versions.index(i));
  });
  versionList(spec, versions);
  // The internal type of Kubernetes has a field for the first version.
  optionalLabel(spec.versions[0]?.name, field.child("version"));
  requiredNames(source.names ?? {}, field.child("names"));
  names(source.names ?? {}, field.child("names"));
  structural(spec.validation, field.child("validation"), hasAnyStatus(spec));
  parts(spec, field);
  commonSelectableFields(spec, field.child("selectableFields"));
  convertedPreserved(source, field.child("conversion", "strategy"));
  anyConversion(source.conversion, field.child("conversion"));
}

function missingSchemas({ validation, versions }: InternalSpec, field: Field): void {
  if (validation?.openAPIV3Schema) return;
  versions.forEach(({ schema }, i) => {
    needed(schema?.openAPIV3Schema, field.index(i).child("schema", "openAPIV3Schema"));
  });
}

function preservedDefaults(source: CustomResourceDefinitionSpec, field: Field): void {
  if (!source.preserveUnknownFields) return;
  const hasDefaults = (source.versions ?? []).some(
    ({ schema }) =>
      schema?.openAPIV3Schema &&
      someSchema(schema.openAPIV3Schema, (each) => (each.default ?? undefined) !== undefined),
  );
  if (hasDefaults) field.invalid(true, "must be false in order to use defaults in the schema");
}

function crdVersion(
  version: BuiltInCustomResourceDefinitionVersion,
  spec: InternalSpec,
  field: Field,
): void {
  const { name = "", schema, deprecationWarning, selectableFields: selectable = [] } = version;
  const at = field.child("selectableFields");
  joinedLabel(name, field.child("name"));
  const warning = field.child("deprecationWarning");
  warning.invalidEach(deprecationWarning, deprecationProblems(version));
  structural(schema, field.child("schema"), hasStatus(subresourcesOf(spec, version)));
  parts(version, field);
  if (!selectable?.length) return;
  if (schema?.openAPIV3Schema) selectableFields(selectable, schema.openAPIV3Schema, at);
  else at.invalid("", "may only be set when `version.schema.openAPIV3Schema` is not included");
}

function commonSelectableFields(spec: InternalSpec, field: Field): void {
  const root = spec.validation?.openAPIV3Schema;
  if (spec.selectableFields.length === 0) return;
  if (root) selectableFields(spec.selectableFields, root, field);
  else field.invalid("", "may only be set when validations.schema is included");
}

function versionList({ versions, shownVersions }: InternalSpec, field: Field): void {
  const known = new Set(versions.map(({ name }) => name));
  const stored = versions.filter(({ storage }) => storage);
  if (known.size < versions.length) {
    field.invalid(shownVersions, "must contain unique version names");
  }
  if (stored.length !== 1) {
    field.invalid(shownVersions, "must have exactly one version marked as storage version");
  }
}

function structural(
  validation: CustomResourceValidation | undefined,
  field: Field,
  statusSubresource: boolean,
): void {
  const schema = validation?.openAPIV3Schema;
  if (!schema) return;
  const errors = checkStructural(schema, { path: field.path, statusSubresource });
  const shown = errors.map((error) =>
    error.badValue === schema
      ? FieldError.invalid(error.field, goStruct("JSONSchemaProps", schema), error.detail)
      : error,
  );
  field.report(shown);
}

function convertedPreserved(spec: CustomResourceDefinitionSpec, field: Field): void {
  const { strategy } = spec.conversion ?? {};
  if (!spec.conversion || strategy === "None" || !spec.preserveUnknownFields) return;
  field.invalid(strategy ?? "", "must be None if spec.preserveUnknownFields is true");
}
