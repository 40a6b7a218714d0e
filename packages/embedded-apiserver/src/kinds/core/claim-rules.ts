import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "@rookery/api";
import { deepCopy, storageClassAnnotation } from "@rookery/kube";
import { qualifiedName } from "../meta/checks.ts";
import { eachEntry, firstOf, required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { immutableDetail, isSameValue } from "../meta/field-rules.ts";
import {
  type Amount,
  basicQuantity,
  isNativeResource,
  quantity,
  resourceQuantity,
} from "../meta/quantities.ts";
import { type Rule, ruleOf, validator } from "../meta/rules.ts";
import { claimSpec } from "../pod-spec/claim-spec.ts";
import { goDiff } from "./unified-diff.ts";

type Claim = PersistentVolumeClaim;
type ClaimSpec = PersistentVolumeClaimSpec;

const resizeStatuses = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

export const validateClaim = validator<Claim>({ spec: struct(claimSpec) });

/** Go: ValidatePersistentVolumeClaimUpdate, without the metadata. Both functions validate the spec. */
export const validateClaimUpdate = validator<Claim>([
  { spec: struct(claimSpec) },
  { spec: struct(claimSpec) },
  classAnnotationChange,
  specChange,
  shrinking,
  ({ spec }, field) => {
    const { spec: old } = field.old as Claim;
    if (isSameValue(spec?.volumeMode, old?.volumeMode)) return;
    // Without "spec", as Kubernetes reports it.
    field.child("volumeMode").invalid(spec?.volumeMode ?? null, immutableDetail);
  },
  attributesClassChange,
]);

function specChange(claim: Claim, field: Field): void {
  const changed = withOldMutables(claim, field.old as Claim);
  if (isSameValue(changed.spec, changed.old)) return;
  const text =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  const diff = goDiff("PersistentVolumeClaimSpec", changed.old, changed.spec);
  field.child("spec").forbidden(`${text}\n${diff}`);
}

/** Both specs without the fields that can change. */
function withOldMutables(claim: Claim, oldClaim: Claim) {
  const spec = deepCopy(claim.spec ?? {}) as ClaimSpec;
  const old = deepCopy(oldClaim.spec ?? {}) as ClaimSpec;
  if (!old.volumeName && spec.volumeName) old.volumeName = spec.volumeName;
  const annotated = oldClaim.metadata?.annotations?.[storageClassAnnotation];
  const isNamed = old.storageClassName === undefined && spec.storageClassName !== undefined;
  if (isNamed && (annotated === undefined || annotated === spec.storageClassName)) {
    delete spec.storageClassName;
  }
  if (claim.status?.phase === "Bound") keepBoundValues(spec, old);
  return { spec, old };
}

/** The requests and the VolumeAttributesClass of a bound claim can change. */
function keepBoundValues(spec: ClaimSpec, old: ClaimSpec): void {
  const storage = old.resources?.requests?.storage;
  if (spec.resources?.requests !== undefined && storage !== undefined) {
    spec.resources.requests.storage = storage;
  }
  if (old.volumeAttributesClassName === undefined) delete spec.volumeAttributesClassName;
  else spec.volumeAttributesClassName = old.volumeAttributesClassName;
}

function classAnnotationChange(claim: Claim, field: Field): void {
  const old = field.old as Claim;
  const own = claim.metadata?.annotations?.[storageClassAnnotation];
  const before = old.metadata?.annotations?.[storageClassAnnotation];
  const isMoved =
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === before &&
    (own === undefined || own === before);
  if (isMoved || (own ?? "") === (before ?? "")) return;
  field
    .child("metadata", "annotations", storageClassAnnotation)
    .invalid(own ?? "", immutableDetail);
}

function shrinking({ spec }: Claim, field: Field): void {
  const old = field.old as Claim;
  const size = quantity(spec?.resources?.requests?.storage ?? "0");
  const before = quantity(old.spec?.resources?.requests?.storage ?? "0");
  const actual = quantity(old.status?.capacity?.storage ?? "0");
  if (size.compare(before) >= 0 || size.compare(actual) > 0) return;
  const at = field.child("spec", "resources", "requests", "storage");
  at.forbidden("field can not be less than status.capacity");
}

function attributesClassChange({ spec }: Claim, field: Field): void {
  const old = field.old as Claim;
  const own = spec?.volumeAttributesClassName;
  const isCurrent = old.status?.currentVolumeAttributesClassName !== undefined;
  if (!isCurrent || own === old.spec?.volumeAttributesClassName || own) return;
  const detail = `update to ${own === undefined ? "nil" : "empty string"} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  field.child("spec", "volumeAttributesClassName").forbidden(detail);
}

const resourceKey = firstOf<string>(qualifiedName, (name, field) => {
  if (isNativeResource(name) && name !== "storage") field.notSupported(name, ["storage"]);
});
const allocated = firstOf<Amount>(basicQuantity, resourceQuantity("storage"));

/** Keys are reported at the map itself. */
const resizes: Rule<Readonly<Record<string, string>> | undefined> = (statuses, field) => {
  for (const [name, value] of Object.entries(statuses ?? {})) {
    resourceKey(name, field);
    if (!resizeStatuses.includes(value)) field.notSupported(name, resizeStatuses);
  }
};

const allocations: Rule<Readonly<Record<string, Amount>> | undefined> = (amounts, field) => {
  for (const [name, value] of Object.entries(amounts ?? {})) {
    const before = field.errorCount;
    resourceKey(name, field);
    if (field.errorCount === before) allocated(value, field.key(name));
    else basicQuantity(value, field.key(name));
  }
};

const modesNeeded = ruleOf<readonly string[] | undefined>(required());

/** Go: ValidatePersistentVolumeClaimStatusUpdate, without the metadata. */
export const validateClaimStatus = validator<Claim>([
  ({ spec }, field) => modesNeeded(spec?.accessModes, field.child("Spec", "accessModes")),
  {
    status: {
      capacity: eachEntry({ values: basicQuantity }),
      allocatedResourceStatuses: resizes,
      allocatedResources: allocations,
    },
  },
]);
