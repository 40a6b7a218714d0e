import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from "@rookery/api";
import { storageClassAnnotation, storageClassOf } from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";
import { deprecatedAnnotations } from "../meta/deprecations.ts";
import { quantity } from "../meta/quantities.ts";
import { warner } from "../meta/rules.ts";
import { claimDefaults, formatAccessModes, storageWarnings } from "../pod-spec/claim-spec.ts";
import { validateClaim, validateClaimStatus, validateClaimUpdate } from "./claim-rules.ts";

const warnings = warner<PersistentVolumeClaim>({
  metadata: {
    annotations: deprecatedAnnotations({
      [storageClassAnnotation]: 'deprecated since v1.8; use "storageClassName" attribute instead',
    }),
  },
  spec: storageWarnings,
});

export const persistentVolumeClaimKind: BuiltInKind<PersistentVolumeClaim> = {
  ...kindNames("", "PersistentVolumeClaim", "persistentvolumeclaims"),
  namespaced: true,
  shortNames: ["pvc"],
  defaults: claimDefaults,
  prepareForCreate(claim) {
    claim.status = { phase: "Pending" };
    normalizeDataSources(claim);
  },
  prepareForUpdate: normalizeDataSources,
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  warnings,
  status: { prepareForUpdate: keepSpec, validateUpdate: validateClaimStatus },
  columns: [
    nameColumn,
    ...columns<PersistentVolumeClaim>({
      Status: ({ metadata, status }) =>
        metadata?.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
      Volume: ({ spec }) => spec?.volumeName ?? "",
      Capacity: ({ spec, status }) =>
        spec?.volumeName ? String(quantity(status?.capacity?.storage ?? "0")) : "",
      "Access Modes": ({ spec, status }) =>
        spec?.volumeName ? formatAccessModes(status?.accessModes ?? []) : "",
      StorageClass: storageClassOf,
      VolumeAttributesClass: ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>",
    }),
    ageColumn,
    ...wideColumns<PersistentVolumeClaim>({
      VolumeMode: ({ spec }) => spec?.volumeMode ?? "<unset>",
    }),
  ],
};

/** The data source is in an old field and in a newer one: fills in the absent one. */
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

/** The old field is for claims and snapshots only; other namespaces are behind a feature gate. */
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
  // The decoder writes null for an absent group.
  const apiGroup = source?.apiGroup ?? "";
  if (kind === "PersistentVolumeClaim") return apiGroup === "";
  return kind === "VolumeSnapshot" && apiGroup === "snapshot.storage.k8s.io";
}
