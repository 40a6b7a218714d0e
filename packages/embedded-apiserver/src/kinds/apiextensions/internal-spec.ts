import type {
  BuiltInCustomResourceDefinitionVersion,
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceSelectableField,
  CustomResourceSubresources,
  CustomResourceValidation,
} from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import { goStruct } from "../meta/internal-form.ts";

/**
 * A spec in the form that kube-apiserver validates, which the paths of errors reveal: parts that all
 * versions share are fields of the spec.
 */
export interface InternalSpec {
  readonly source: CustomResourceDefinitionSpec;
  readonly versions: readonly BuiltInCustomResourceDefinitionVersion[];
  readonly validation: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns: readonly CustomResourceColumnDefinition[];
  readonly selectableFields: readonly CustomResourceSelectableField[];
  /** The versions as errors show them. */
  readonly shownVersions: readonly object[] | null;
}

type Part = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

const parts: readonly Part[] = [
  "schema",
  "subresources",
  "additionalPrinterColumns",
  "selectableFields",
];

/** Moves the parts that all versions share out of the versions, like kube-apiserver. */
export function internalSpecOf(source: CustomResourceDefinitionSpec): InternalSpec {
  const given = source.versions ?? [];
  const first = given[0] ?? {};
  const shared = parts.filter((part) => given.every((each) => isSame(each[part], first[part])));
  const versions = given.map((version) => without(version, shared));
  const common = <P extends Part>(part: P) => (shared.includes(part) ? first[part] : undefined);
  return {
    source,
    versions,
    validation: common("schema") ?? undefined,
    subresources: common("subresources") ?? undefined,
    additionalPrinterColumns: common("additionalPrinterColumns") ?? [],
    selectableFields: common("selectableFields") ?? [],
    shownVersions: source.versions
      ? versions.map((version) => goStruct("CustomResourceDefinitionVersion", version))
      : null,
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return deepEqual(emptied(a), emptied(b));
}

function emptied(value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

function without(version: BuiltInCustomResourceDefinitionVersion, shared: readonly Part[]) {
  const rest = { ...version };
  for (const part of shared) delete rest[part];
  return rest;
}

/** The subresources of a version: its own, or the shared ones. */
export function subresourcesOf(
  { versions, subresources }: InternalSpec,
  version: BuiltInCustomResourceDefinitionVersion,
): CustomResourceSubresources | undefined {
  return versions.some((each) => each.subresources) ? version.subresources : subresources;
}

/** Whether any version has a status subresource. */
export function hasAnyStatus({ versions, subresources }: InternalSpec): boolean {
  return [subresources, ...versions.map((each) => each.subresources)].some(hasStatus);
}

export function hasStatus(subresources: CustomResourceSubresources | undefined): boolean {
  return (subresources?.status ?? undefined) !== undefined;
}
