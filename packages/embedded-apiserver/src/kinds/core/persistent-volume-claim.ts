import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from "@rookery/api";
import {
  type FieldPath,
  fieldPath,
  quote,
  storageClassAnnotation,
  storageClassOf,
} from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { quantity, type ResourceList, roundUpResources } from "../meta/quantities.ts";
import { formatAccessModes } from "../pod-spec/claim-spec.ts";
import { validateClaim, validateClaimStatus, validateClaimUpdate } from "./claim-rules.ts";
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

/** What a claim is filled with is said twice, by an old field and a newer one. */
function normalizeDataSources({ spec }: PersistentVolumeClaim, old?: PersistentVolumeClaim): void {
  if (spec === undefined) return;
  dropDisabled(spec, old?.spec);
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) {
    spec.dataSourceRef = { ...dataSource };
  } else if (dataSourceRef !== undefined && dataSource === undefined) {
    const { namespace, ...reference } = dataSourceRef;
    if (!namespace) spec.dataSource = reference;
  }
}

/** The old field knows claims and snapshots alone; other namespaces are behind a feature gate. */
function dropDisabled(spec: PersistentVolumeClaimSpec, old?: PersistentVolumeClaimSpec): void {
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) {
    delete spec.dataSourceRef;
  }
  const isInUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (isInUse || spec.dataSourceRef !== undefined) return;
  if (!isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
}

function isClaimOrSnapshot(source: TypedLocalObjectReference | undefined): boolean {
  const kind = source?.kind;
  // Go writes null for a group that is not said.
  const apiGroup = source?.apiGroup ?? "";
  if (kind === "PersistentVolumeClaim") return apiGroup === "";
  return kind === "VolumeSnapshot" && apiGroup === "snapshot.storage.k8s.io";
}
