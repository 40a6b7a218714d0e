import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from "@rookery/api";

/** What a claim is filled with is said twice, by an old field and a newer one. */
export function normalizeDataSources(
  { spec }: PersistentVolumeClaim,
  old?: PersistentVolumeClaim,
): void {
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
