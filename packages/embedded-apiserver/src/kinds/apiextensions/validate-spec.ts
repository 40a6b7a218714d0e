import type {
  BuiltInCustomResourceDefinitionVersion,
  CustomResourceDefinitionSpec,
  CustomResourceValidation,
} from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  validateDns1035Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { checkStructural } from "@rookery/schema";
import { internalSchema } from "./internal-names.ts";
import {
  hasAnyStatus,
  hasStatus,
  type InternalSpec,
  internalSpecOf,
  subresourcesOf,
} from "./internal-spec.ts";
import { someSchema } from "./schemas.ts";
import { validateConversion } from "./validate-conversion.ts";
import { deprecationProblems } from "./validate-deprecation.ts";
import { validateEnum } from "./validate-enum.ts";
import { validateNames } from "./validate-names.ts";
import { validateColumn, validateSubresources } from "./validate-parts.ts";
import { validateSelectableFields } from "./validate-selectable-fields.ts";

export interface SpecOptions {
  /** Whether the authorities of a conversion webhook have to be good. */
  readonly checkCa: boolean;
}

/** Problems of a spec, in kube-apiserver's order and under its paths. */
export function validateSpec(
  source: CustomResourceDefinitionSpec,
  path: FieldPath,
  options: SpecOptions,
): FieldError[] {
  const spec = internalSpecOf(source);
  return [
    ...validateGroup(source.group ?? "", path.child("group")),
    ...validateEnum(source.scope ?? "", ["Cluster", "Namespaced"], path.child("scope")),
    ...missingSchemas(spec, path),
    ...preservedDefaults(spec, path.child("preserveUnknownFields")),
    ...spec.versions.flatMap((version, index) =>
      validateVersion(version, spec, path.child("versions").index(index)),
    ),
    ...validateVersionList(spec, path.child("versions")),
    ...validateFirstVersion(spec, path.child("version")),
    ...requiredNames(source, path.child("names")),
    ...validateNames(source.names ?? {}, path.child("names")),
    ...validateSchema(spec.validation, path.child("validation"), hasAnyStatus(spec)),
    ...validateSubresources(spec.subresources, path.child("subresources")),
    ...spec.additionalPrinterColumns.flatMap((column, index) =>
      validateColumn(column, path.child("additionalPrinterColumns").index(index)),
    ),
    ...commonSelectableFields(spec, path.child("selectableFields")),
    ...convertedPreserved(source, path.child("conversion")),
    ...validateConversion(source.conversion, path.child("conversion"), options),
  ];
}

function validateGroup(group: string, path: FieldPath): FieldError[] {
  if (group === "") return [FieldError.required(path, "")];
  const problems = validateDns1123Subdomain(group);
  if (problems.length > 0) return [FieldError.invalid(path, group, problems.join(","))];
  if (group.includes(".")) return [];
  return [FieldError.invalid(path, group, "should be a domain with at least one dot")];
}

function missingSchemas({ validation, versions }: InternalSpec, path: FieldPath): FieldError[] {
  if (validation?.openAPIV3Schema) return [];
  return versions.flatMap(({ schema }, index) => {
    const at = path.child("versions").index(index).child("schema", "openAPIV3Schema");
    return schema?.openAPIV3Schema ? [] : [FieldError.required(at, "")];
  });
}

function preservedDefaults({ source }: InternalSpec, path: FieldPath): FieldError[] {
  if (!source.preserveUnknownFields) return [];
  const hasDefaults = (source.versions ?? []).some(
    ({ schema }) =>
      schema?.openAPIV3Schema &&
      someSchema(schema.openAPIV3Schema, (each) => (each.default ?? undefined) !== undefined),
  );
  const detail = "must be false in order to use defaults in the schema";
  return hasDefaults ? [FieldError.invalid(path, true, detail)] : [];
}

function validateVersion(
  version: BuiltInCustomResourceDefinitionVersion,
  spec: InternalSpec,
  path: FieldPath,
): FieldError[] {
  const { name = "", additionalPrinterColumns, deprecationWarning, selectableFields } = version;
  const problems = validateDns1035Label(name);
  const isStatus = hasStatus(subresourcesOf(spec, version));
  return [
    ...(problems.length > 0
      ? [FieldError.invalid(path.child("name"), name, problems.join(","))]
      : []),
    ...deprecationProblems(version).map((problem) =>
      FieldError.invalid(path.child("deprecationWarning"), deprecationWarning, problem),
    ),
    ...validateSchema(version.schema, path.child("schema"), isStatus),
    ...validateSubresources(version.subresources, path.child("subresources")),
    ...(additionalPrinterColumns ?? []).flatMap((column, index) =>
      validateColumn(column, path.child("additionalPrinterColumns").index(index)),
    ),
    ...(selectableFields?.length
      ? ownSelectableFields(version, path.child("selectableFields"))
      : []),
  ];
}

function ownSelectableFields(
  { schema, selectableFields = [] }: BuiltInCustomResourceDefinitionVersion,
  path: FieldPath,
): FieldError[] {
  const root = schema?.openAPIV3Schema;
  if (root) return validateSelectableFields(selectableFields, root, path);
  const detail = "may only be set when `version.schema.openAPIV3Schema` is not included";
  return [FieldError.invalid(path, "", detail)];
}

function commonSelectableFields(
  { selectableFields, validation }: InternalSpec,
  path: FieldPath,
): FieldError[] {
  if (selectableFields.length === 0) return [];
  const root = validation?.openAPIV3Schema;
  if (root) return validateSelectableFields(selectableFields, root, path);
  return [FieldError.invalid(path, "", "may only be set when validations.schema is included")];
}

function validateVersionList(
  { versions, shownVersions }: InternalSpec,
  path: FieldPath,
): FieldError[] {
  const names = versions.map(({ name }) => name);
  const stored = versions.filter(({ storage }) => storage);
  const errors: (FieldError | false)[] = [
    new Set(names).size < names.length &&
      FieldError.invalid(path, shownVersions, "must contain unique version names"),
    stored.length !== 1 &&
      FieldError.invalid(
        path,
        shownVersions,
        "must have exactly one version marked as storage version",
      ),
  ];
  return errors.filter((error) => error !== false);
}

/** Inside of Kubernetes the first version has a field of its own. */
function validateFirstVersion({ versions }: InternalSpec, path: FieldPath): FieldError[] {
  const name = versions[0]?.name ?? "";
  const problems = name === "" ? [] : validateDns1035Label(name);
  return problems.length > 0 ? [FieldError.invalid(path, name, problems.join(","))] : [];
}

function requiredNames(
  { names = {} }: CustomResourceDefinitionSpec,
  path: FieldPath,
): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => !names[name])
    .map((name) => FieldError.required(path.child(name), ""));
}

function validateSchema(
  validation: CustomResourceValidation | undefined,
  path: FieldPath,
  statusSubresource: boolean,
): readonly FieldError[] {
  const schema = validation?.openAPIV3Schema;
  if (!schema) return [];
  return checkStructural(schema, { path, statusSubresource }).map((error) =>
    error.badValue === schema
      ? FieldError.invalid(error.field, internalSchema(schema), error.detail)
      : error,
  );
}

function convertedPreserved(
  { conversion, preserveUnknownFields }: CustomResourceDefinitionSpec,
  path: FieldPath,
): FieldError[] {
  const { strategy } = conversion ?? {};
  if (!conversion || strategy === "None" || !preserveUnknownFields) return [];
  const detail = "must be None if spec.preserveUnknownFields is true";
  return [FieldError.invalid(path.child("strategy"), strategy ?? "", detail)];
}
