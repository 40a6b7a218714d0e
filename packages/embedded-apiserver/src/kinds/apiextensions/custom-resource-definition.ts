import type { BuiltInCustomResourceDefinition, CustomResourceDefinitionSpec } from "@rookery/api";
import { deepEqual, quote } from "@rookery/kube";
import { caBundleProblem } from "../admissionregistration/client-config.ts";
import type { BuiltInKind } from "../declaration/kind.ts";
import { immutableWith } from "../meta/checks.ts";
import { createdAtColumn, nameColumn } from "../meta/columns.ts";
import { optional, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, ruleOf, validator } from "../meta/rules.ts";
import { apiApproval } from "./api-approval.ts";
import { isCrdConditionTrue } from "./conditions.ts";
import { unrecognizedFormats } from "./schemas.ts";
import { names } from "./validate-parts.ts";
import { crdSpec } from "./validate-spec.ts";

function emptyStatus(): NonNullable<BuiltInCustomResourceDefinition["status"]> {
  // Go writes null for these empty lists.
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

/** Adds the storage version to the stored versions. */
function storeVersion(crd: BuiltInCustomResourceDefinition): void {
  const version = crd.spec?.versions?.find(({ storage }) => storage)?.name;
  if (version === undefined) return;
  crd.status ??= emptyStatus();
  const stored = crd.status.storedVersions ?? [];
  if (!stored.includes(version)) crd.status.storedVersions = [...stored, version];
}

function nameOfPlural({ metadata, spec }: BuiltInCustomResourceDefinition, field: Field): void {
  const name = metadata?.name ?? "";
  if (name === "" || name === `${spec?.names?.plural ?? ""}.${spec?.group ?? ""}`) return;
  field.child("metadata", "name").invalid(name, 'must be spec.names.plural+"."+spec.group');
}

/** An invalid bundle is accepted if the stored CRD has one or is not established. */
function hasGoodCa(old: BuiltInCustomResourceDefinition): boolean {
  if (!isCrdConditionTrue(old, "Established")) return false;
  const caBundle = old.spec?.conversion?.webhook?.clientConfig?.caBundle;
  return !caBundle || caBundleProblem(caBundle) === undefined;
}

const fixed = immutableWith<string>({ zero: "" });
const fixedWhenServed = ruleOf<BuiltInCustomResourceDefinition>({
  spec: struct({ scope: fixed, names: struct({ kind: fixed }) }),
});

function fixedFields(crd: BuiltInCustomResourceDefinition, field: Field): void {
  if (isCrdConditionTrue(field.old as BuiltInCustomResourceDefinition, "Established")) {
    fixedWhenServed(crd, field);
  }
}

/** Go: validateCustomResourceDefinitionStoredVersions. */
function storedVersions({ spec, status }: BuiltInCustomResourceDefinition, field: Field): void {
  const stored = status?.storedVersions ?? [];
  const versions = spec?.versions ?? [];
  const [known, served] = [new Set(stored), new Set(versions.map(({ name }) => name))];
  const at = field.child("status", "storedVersions");
  if (stored.length === 0) {
    at.invalid(null, "must have at least one stored version");
    return;
  }
  for (const { name = "", storage } of versions) {
    if (!storage || known.has(name)) continue;
    at.invalid(stored, `must have the storage version ${name}`);
  }
  stored.forEach((name, i) => {
    if (!served.has(name)) at.index(i).invalid(name, missingVersion(name));
  });
}

function missingVersion(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

/** A stored CRD with the field can keep it. */
function preserved({ spec }: BuiltInCustomResourceDefinition, field: Field): void {
  const { spec: old } = Object(field.old) as BuiltInCustomResourceDefinition;
  if (old?.preserveUnknownFields || !spec?.preserveUnknownFields) return;
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  field.child("spec", "preserveUnknownFields").invalid(true, detail);
}

const acceptedNames: Rules<BuiltInCustomResourceDefinition> = {
  status: { acceptedNames: optional(names) },
};

function specRules(checkCa: boolean): Rule<BuiltInCustomResourceDefinition> {
  return ({ spec = {} }, field) => crdSpec(spec, field.child("spec").withScope({ checkCa }));
}

const rest: Rules<BuiltInCustomResourceDefinition> = [
  acceptedNames,
  storedVersions,
  apiApproval,
  preserved,
];

/** The registry of CRDs serves the declared kinds. */
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
  columns: [nameColumn, createdAtColumn],

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
  validate: validator<BuiltInCustomResourceDefinition>([nameOfPlural, specRules(false), rest]),
  validateUpdate: validator<BuiltInCustomResourceDefinition>([
    (crd, field) => specRules(hasGoodCa(field.old as BuiltInCustomResourceDefinition))(crd, field),
    fixedFields,
    { spec: struct({ group: fixed, names: struct({ plural: fixed }) }) },
    rest,
  ]),
  warnings(crd, old) {
    const known = new Set(old ? unrecognizedFormats(old) : []);
    const unknown = unrecognizedFormats(crd).filter((format) => !known.has(format));
    return unknown.map((format) => `unrecognized format ${quote(format)}`);
  },
  status: { validateUpdate: validator<BuiltInCustomResourceDefinition>(acceptedNames) },
};
