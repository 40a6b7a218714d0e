import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabels,
} from "@rookery/kube";
import { invalidEach, validateAnnotations, validateSupported } from "../meta/field-rules.ts";
import { validateSelector } from "../meta/label-selectors.ts";
import { validatePositiveQuantity, validateResourceQuantity } from "../meta/quantities.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"] as const;
export const volumeModes = ["Block", "Filesystem"] as const;

/** The claim that an ephemeral volume makes: labels, annotations and a spec, and nothing else. */
export function validateClaimTemplate(
  { metadata = {}, spec = {} }: PersistentVolumeClaimTemplate,
  path: FieldPath,
): FieldError[] {
  const at = path.child("metadata");
  const others = Object.entries(metadata).filter(
    ([key, value]) => !["labels", "annotations"].includes(key) && value != null,
  );
  return [
    ...validateAnnotations(metadata.annotations, at.child("annotations")),
    ...validateLabels(metadata.labels ?? {}, at.child("labels")),
    ...others.map(([key]) => FieldError.forbidden(at.child(key), "cannot be set")),
    ...validateClaimSpec(spec, path.child("spec")),
  ];
}

/** Go: ValidatePersistentVolumeClaimSpec. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const { storageClassName = "", volumeAttributesClassName = "", volumeMode } = spec;
  return [
    ...validateClaimAccess(spec, path),
    ...validateStorage(spec, path.child("resources").key("storage")),
    ...validateClassName(storageClassName, path.child("storageClassName")),
    ...(volumeMode === undefined
      ? []
      : validateSupported(volumeMode, volumeModes, path.child("volumeMode"))),
    ...validateDataSources(spec, path),
    ...validateClassName(volumeAttributesClassName, path.child("volumeAttributesClassName")),
  ];
}

function validateClaimAccess(
  { accessModes: modes = [], selector }: PersistentVolumeClaimSpec,
  path: FieldPath,
): FieldError[] {
  const at = path.child("accessModes");
  const missing = FieldError.required(at, "at least 1 access mode is required");
  return [
    ...(modes.length === 0 ? [missing] : []),
    ...validateSelector(selector, path.child("selector")),
    ...validateAccessModes(modes, at),
  ];
}

/** Those of a claim and of a volume. */
export function validateAccessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  const problems = modes.flatMap((mode) => validateSupported(mode, accessModes, path));
  const others = modes.filter((mode) => accessModes.some((known) => known === mode));
  const isMixed = modes.includes("ReadWriteOncePod") && new Set(others).size > 1;
  const detail = "may not use ReadWriteOncePod with other access modes";
  return isMixed ? [...problems, FieldError.forbidden(path, detail)] : problems;
}

function validateStorage({ resources }: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const storage = resources?.requests?.storage;
  if (storage === undefined) return [FieldError.required(path, "")];
  const problems = validatePositiveQuantity(storage, path);
  return problems.length > 0 ? problems : validateResourceQuantity("storage", storage, path);
}

export function validateClassName(name: string, path: FieldPath): FieldError[] {
  return name === "" ? [] : invalidEach(name, validateDns1123Subdomain(name), path);
}

function validateDataSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  path: FieldPath,
): FieldError[] {
  const problems = [
    ...(dataSource === undefined ? [] : validateSource(dataSource, path.child("dataSource"))),
    ...(dataSourceRef === undefined
      ? []
      : validateSource(dataSourceRef, path.child("dataSourceRef"))),
  ];
  if (dataSource === undefined || dataSourceRef === undefined) return problems;
  const { namespace = "" } = dataSourceRef;
  if (namespace === "" && isSameSource(dataSource, dataSourceRef)) return problems;
  const detail =
    namespace === ""
      ? "must match dataSourceRef"
      : "may not be specified when dataSourceRef.namespace is specified";
  // Go shows the path itself, whose fields are private: an empty object.
  return [...problems, FieldError.invalid(path, {}, detail)];
}

function isSameSource(a: TypedObjectReference, b: TypedObjectReference): boolean {
  // "" is said, null is not.
  return (
    (a.apiGroup ?? undefined) === (b.apiGroup ?? undefined) &&
    a.kind === b.kind &&
    a.name === b.name
  );
}

function validateSource(source: TypedObjectReference, path: FieldPath): FieldError[] {
  const { kind = "", name = "", namespace = "" } = source;
  // Go writes null for a group that is not said.
  const apiGroup = source.apiGroup ?? "";
  const foreign = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  const isForeign = apiGroup === "" && kind !== "PersistentVolumeClaim";
  return [
    ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
    ...(kind === "" ? [FieldError.required(path.child("kind"), "")] : []),
    ...(isForeign ? [FieldError.invalid(path, kind, foreign)] : []),
    ...(apiGroup === ""
      ? []
      : invalidEach(apiGroup, validateDns1123Subdomain(apiGroup), path.child("apiGroup"))),
    ...(namespace === ""
      ? []
      : invalidEach(namespace, validateDns1123Label(namespace), path.child("namespace"))),
  ];
}
