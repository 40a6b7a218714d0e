import type { BuiltInCustomResourceDefinition, CustomResourceDefinitionSpec } from "@rookery/api";
import { deepEqual, FieldError, type FieldPath, fieldPath, quote } from "@rookery/kube";
import { caBundleProblem } from "../admissionregistration/client-config.ts";
import type { BuiltInKind } from "../declaration/kind.ts";
import { validateApiApproval } from "./api-approval.ts";
import { isCrdConditionTrue } from "./conditions.ts";
import { unrecognizedFormats } from "./formats.ts";
import { validateNames } from "./validate-names.ts";
import { validateSpec } from "./validate-spec.ts";

/** Kinds that are made while the server runs. What becomes of them is the CRD registry's to do. */
export const customResourceDefinitionKind: BuiltInKind<BuiltInCustomResourceDefinition> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  singular: "customresourcedefinition",
  namespaced: false,
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  goType: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.CustomResourceDefinition",
  model: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
  requiresResourceVersion: true,
  columns: [
    {
      name: "Name",
      type: "string",
      format: "name",
      description:
        "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
      value: ({ metadata }) => metadata.name ?? "",
    },
    {
      name: "Created At",
      type: "date",
      description:
        "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
      value: ({ metadata }) => metadata.creationTimestamp ?? null,
    },
  ],

  defaults(crd) {
    setSpecDefaults(crd.spec ?? {});
    if (!crd.status?.storedVersions?.length) storeVersion(crd);
  },
  prepareForCreate(crd) {
    crd.status = emptyStatus();
    if (crd.metadata) crd.metadata.generation = 1;
    storeVersion(crd);
  },
  prepareForUpdate(crd, old) {
    crd.status = structuredClone(old.status ?? emptyStatus());
    storeVersion(crd);
  },
  isNewGeneration: (crd, old) => !deepEqual(crd.spec, old.spec),
  validate: (crd) => [
    ...validateName(crd),
    ...validateSpec(crd.spec ?? {}, fieldPath("spec"), { checkCa: false }),
    ...validateRest(crd, undefined),
  ],
  validateUpdate: (crd, old) => [
    ...validateSpec(crd.spec ?? {}, fieldPath("spec"), { checkCa: hasGoodCa(old) }),
    ...validateImmutable(crd.spec ?? {}, old, fieldPath("spec")),
    ...validateRest(crd, old),
  ],
  warnings(crd, old) {
    const known = new Set(old ? unrecognizedFormats(old) : []);
    const unknown = unrecognizedFormats(crd).filter((format) => !known.has(format));
    return unknown.map((format) => `unrecognized format ${quote(format)}`);
  },
  status: {
    validateUpdate: (crd) =>
      validateNames(crd.status?.acceptedNames ?? {}, fieldPath("status", "acceptedNames")),
  },
};

function emptyStatus(): NonNullable<BuiltInCustomResourceDefinition["status"]> {
  // As Go writes what is empty.
  const nothing = null as unknown as [];
  return { conditions: nothing, acceptedNames: { plural: "", kind: "" }, storedVersions: nothing };
}

function setSpecDefaults(spec: CustomResourceDefinitionSpec): void {
  spec.names ??= {};
  const { names } = spec;
  names.singular ||= (names.kind ?? "").toLowerCase();
  if (names.kind) names.listKind ||= `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
}

/** Remembers that objects were stored in the version in which they are from now on. */
function storeVersion(crd: BuiltInCustomResourceDefinition): void {
  const version = crd.spec?.versions?.find(({ storage }) => storage)?.name;
  if (version === undefined) return;
  crd.status ??= emptyStatus();
  const stored = crd.status.storedVersions ?? [];
  if (!stored.includes(version)) crd.status.storedVersions = [...stored, version];
}

function validateName({ metadata, spec }: BuiltInCustomResourceDefinition): FieldError[] {
  const name = metadata?.name ?? "";
  if (name === "" || name === `${spec?.names?.plural ?? ""}.${spec?.group ?? ""}`) return [];
  const detail = 'must be spec.names.plural+"."+spec.group';
  return [FieldError.invalid(fieldPath("metadata", "name"), name, detail)];
}

/** A bad bundle may stay, and may come until the kind is served. */
function hasGoodCa(old: BuiltInCustomResourceDefinition): boolean {
  if (!isCrdConditionTrue(old, "Established")) return false;
  const caBundle = old.spec?.conversion?.webhook?.clientConfig?.caBundle;
  return !caBundle || caBundleProblem(caBundle) === undefined;
}

function validateImmutable(
  spec: CustomResourceDefinitionSpec,
  old: BuiltInCustomResourceDefinition,
  path: FieldPath,
): FieldError[] {
  const { names = {} } = spec;
  const was = old.spec ?? {};
  const fixed = (value: string | undefined, before: string | undefined, at: FieldPath) =>
    value === before ? [] : [FieldError.invalid(at, value ?? "", "field is immutable")];
  const stored = isCrdConditionTrue(old, "Established");
  return [
    ...(stored ? fixed(spec.scope, was.scope, path.child("scope")) : []),
    ...(stored ? fixed(names.kind, was.names?.kind, path.child("names", "kind")) : []),
    ...fixed(spec.group, was.group, path.child("group")),
    ...fixed(names.plural, was.names?.plural, path.child("names", "plural")),
  ];
}

function validateRest(
  crd: BuiltInCustomResourceDefinition,
  old: BuiltInCustomResourceDefinition | undefined,
): FieldError[] {
  return [
    ...validateNames(crd.status?.acceptedNames ?? {}, fieldPath("status", "acceptedNames")),
    ...validateStoredVersions(crd, fieldPath("status", "storedVersions")),
    ...validateApiApproval(crd, old),
    ...validatePreserved(crd, old),
  ];
}

function validateStoredVersions(
  { spec, status }: BuiltInCustomResourceDefinition,
  path: FieldPath,
): FieldError[] {
  const stored = status?.storedVersions ?? [];
  const known = new Set(stored);
  if (stored.length === 0) {
    return [FieldError.invalid(path, null, "must have at least one stored version")];
  }
  const versions = spec?.versions ?? [];
  const names = new Set(versions.map(({ name }) => name));
  return [
    ...versions
      .filter(({ name = "", storage }) => storage && !known.has(name))
      .map(({ name }) => FieldError.invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      names.has(name) ? [] : [FieldError.invalid(path.index(index), name, forgotten(name))],
    ),
  ];
}

function forgotten(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

function validatePreserved(
  crd: BuiltInCustomResourceDefinition,
  old: BuiltInCustomResourceDefinition | undefined,
): FieldError[] {
  if (old?.spec?.preserveUnknownFields || !crd.spec?.preserveUnknownFields) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [FieldError.invalid(fieldPath("spec", "preserveUnknownFields"), true, detail)];
}
