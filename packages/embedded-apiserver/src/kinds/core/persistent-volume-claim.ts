import type { PersistentVolumeClaim } from "@rookery/api";
import {
  type FieldPath,
  fieldPath,
  quote,
  storageClassAnnotation,
  storageClassOf,
} from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { quantity, type ResourceList, roundUpResources } from "../meta/quantities.ts";
import { formatAccessModes } from "./access-modes.ts";
import { validateClaim, validateClaimStatus, validateClaimUpdate } from "./claim-rules.ts";
import { normalizeDataSources } from "./claim-sources.ts";

export const persistentVolumeClaimKind: BuiltInKind<PersistentVolumeClaim> = {
  ...kindNames("", "PersistentVolumeClaim", "persistentvolumeclaims"),
  namespaced: true,
  shortNames: ["pvc"],
  defaults: claimDefaults,
  prepareForCreate(claim) {
    claim.status = { phase: "Pending" };
    normalizeDataSources(claim);
  },
  prepareForUpdate: (claim, old) => normalizeDataSources(claim, old),
  validate: (claim) => validateClaim(claim),
  validateUpdate: validateClaimUpdate,
  warnings: claimWarnings,
  status: { prepareForUpdate: keepSpec, validateUpdate: validateClaimStatus },
  columns: [
    nameColumn,
    column("Status", "string", ({ metadata, status }: PersistentVolumeClaim) =>
      metadata?.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
    ),
    column("Volume", "string", ({ spec }: PersistentVolumeClaim) => spec?.volumeName ?? ""),
    column("Capacity", "string", ({ spec, status }: PersistentVolumeClaim) =>
      spec?.volumeName ? String(quantity(status?.capacity?.storage ?? "0")) : "",
    ),
    column("Access Modes", "string", ({ spec, status }: PersistentVolumeClaim) =>
      spec?.volumeName ? formatAccessModes(status?.accessModes ?? []) : "",
    ),
    column("StorageClass", "string", storageClassOf),
    column(
      "VolumeAttributesClass",
      "string",
      ({ spec }: PersistentVolumeClaim) => spec?.volumeAttributesClassName ?? "<unset>",
    ),
    ageColumn,
    wide(
      column(
        "VolumeMode",
        "string",
        ({ spec }: PersistentVolumeClaim) => spec?.volumeMode ?? "<unset>",
      ),
    ),
  ],
};

function claimDefaults(claim: PersistentVolumeClaim): void {
  claim.spec ??= {};
  claim.status ??= {};
  claim.status.phase ||= "Pending";
  claim.spec.volumeMode ??= "Filesystem";
  roundUpResources(claim.spec.resources?.limits);
  roundUpResources(claim.spec.resources?.requests);
  roundUpResources(claim.status.capacity);
  roundUpResources(claim.status.allocatedResources);
}

function claimWarnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  const at = fieldPath("metadata", "annotations").key(storageClassAnnotation);
  const resources = fieldPath("spec", "resources");
  return [
    ...(metadata?.annotations?.[storageClassAnnotation] === undefined
      ? []
      : [`${at}: deprecated since v1.8; use "storageClassName" attribute instead`]),
    ...fractionWarnings(spec?.resources?.requests, resources.child("requests")),
    ...fractionWarnings(spec?.resources?.limits, resources.child("limits")),
  ];
}

function fractionWarnings(list: ResourceList | undefined, path: FieldPath): string[] {
  const amount = quantity(list?.storage ?? "0");
  if (amount.milliValue() % 1000n === 0n) return [];
  const shown = quote(String(amount));
  return [`${path.key("storage")}: fractional byte value ${shown} is invalid, must be an integer`];
}
