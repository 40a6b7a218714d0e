import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "@rookery/api";
import {
  deepCopy,
  FieldError,
  type FieldPath,
  fieldPath,
  storageClassAnnotation,
  validateQualifiedName,
} from "@rookery/kube";
import {
  immutableDetail,
  invalidEach,
  isSameValue,
  validateImmutable,
} from "../meta/field-rules.ts";
import { isNativeResource, quantity, validateResourceQuantity } from "../meta/quantities.ts";
import { validateClaimSpec } from "../pod-spec/claim-spec.ts";
import { goDiff } from "./go-diff.ts";

const path = fieldPath("spec");
const storagePath = path.child("resources", "requests", "storage");
const resizeStatuses = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Go: ValidatePersistentVolumeClaimUpdate, without the metadata. Both judge the spec. */
export function validateClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): FieldError[] {
  const [spec, before] = [claim.spec ?? {}, old.spec ?? {}];
  const changed = withOldMutables(claim, old);
  const immutable = isSameValue(changed.spec, changed.old)
    ? []
    : [FieldError.forbidden(path, immutableMessage(changed.old, changed.spec))];
  return [
    ...validateClaimSpec(spec, path),
    ...validateClaimSpec(spec, path),
    ...validateClassAnnotation(claim, old),
    ...immutable,
    ...validateShrinking(spec, old),
    ...validateImmutable(spec.volumeMode, before.volumeMode, fieldPath("volumeMode")),
    ...validateAttributesClass(spec, old),
  ];
}

function immutableMessage(old: PersistentVolumeClaimSpec, spec: PersistentVolumeClaimSpec): string {
  const text =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return `${text}\n${goDiff("PersistentVolumeClaimSpec", old, spec)}`;
}

/** Both specs without what may differ. */
function withOldMutables(claim: PersistentVolumeClaim, oldClaim: PersistentVolumeClaim) {
  const spec = deepCopy(claim.spec ?? {}) as PersistentVolumeClaimSpec;
  const old = deepCopy(oldClaim.spec ?? {}) as PersistentVolumeClaimSpec;
  if (!old.volumeName && spec.volumeName) old.volumeName = spec.volumeName;
  const annotated = oldClaim.metadata?.annotations?.[storageClassAnnotation];
  const isNamed = old.storageClassName === undefined && spec.storageClassName !== undefined;
  if (isNamed && (annotated === undefined || annotated === spec.storageClassName)) {
    delete spec.storageClassName;
  }
  if (claim.status?.phase === "Bound") keepBoundValues(spec, old);
  return { spec, old };
}

/** A bound claim may grow, and be treated in another way. */
function keepBoundValues(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec): void {
  const storage = old.resources?.requests?.storage;
  if (spec.resources?.requests !== undefined && storage !== undefined) {
    spec.resources.requests.storage = storage;
  }
  if (old.volumeAttributesClassName === undefined) delete spec.volumeAttributesClassName;
  else spec.volumeAttributesClassName = old.volumeAttributesClassName;
}

function validateClassAnnotation(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): FieldError[] {
  const own = claim.metadata?.annotations?.[storageClassAnnotation];
  const before = old.metadata?.annotations?.[storageClassAnnotation];
  const isMoved =
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === before &&
    (own === undefined || own === before);
  if (isMoved || (own ?? "") === (before ?? "")) return [];
  const at = fieldPath("metadata", "annotations", storageClassAnnotation);
  return [FieldError.invalid(at, own ?? "", immutableDetail)];
}

function validateShrinking(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): FieldError[] {
  const size = quantity(spec.resources?.requests?.storage ?? "0");
  const before = quantity(old.spec?.resources?.requests?.storage ?? "0");
  const actual = quantity(old.status?.capacity?.storage ?? "0");
  if (size.compare(before) >= 0 || size.compare(actual) > 0) return [];
  return [FieldError.forbidden(storagePath, "field can not be less than status.capacity")];
}

function validateAttributesClass(
  { volumeAttributesClassName: own }: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): FieldError[] {
  const isCurrent = old.status?.currentVolumeAttributesClassName !== undefined;
  if (!isCurrent || own === old.spec?.volumeAttributesClassName || own) return [];
  const detail = `update to ${own === undefined ? "nil" : "empty string"} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [FieldError.forbidden(path.child("volumeAttributesClassName"), detail)];
}

/** Go: ValidatePersistentVolumeClaimStatusUpdate, without the metadata. */
export function validateClaimStatus({ spec, status = {} }: PersistentVolumeClaim): FieldError[] {
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = status;
  const modes = FieldError.required(fieldPath("Spec", "accessModes"), "");
  const statusesPath = fieldPath("status", "allocatedResourceStatuses");
  const allocatedPath = fieldPath("status", "allocatedResources");
  return [
    ...((spec?.accessModes ?? []).length === 0 ? [modes] : []),
    ...Object.entries(capacity).flatMap(([name, value]) =>
      validateBasic(value, fieldPath("status", "capacity").key(name)),
    ),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, value]) => [
      ...validateResourceKey(name, statusesPath),
      ...(resizeStatuses.includes(value)
        ? []
        : [FieldError.notSupported(statusesPath, name, resizeStatuses)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, value]) => {
      const problems = [
        ...validateResourceKey(name, allocatedPath),
        ...validateBasic(value, allocatedPath.key(name)),
      ];
      return problems.length > 0
        ? problems
        : validateResourceQuantity("storage", value, allocatedPath.key(name));
    }),
  ];
}

/** Go: validateBasicResource. */
export function validateBasic(value: string | number, at: FieldPath): FieldError[] {
  const amount = quantity(value);
  if (amount.sign >= 0) return [];
  return [FieldError.invalid(at, amount.value(), "must be a valid resource quantity")];
}

function validateResourceKey(name: string, at: FieldPath): FieldError[] {
  const problems = invalidEach(name, validateQualifiedName(name), at);
  if (problems.length > 0 || !isNativeResource(name) || name === "storage") return problems;
  return [FieldError.notSupported(at, name, ["storage"])];
}
