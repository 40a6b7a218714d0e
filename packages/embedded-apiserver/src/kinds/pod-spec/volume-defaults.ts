import type { ProjectedVolumeSource, Volume } from "@rookery/api";

/** rw-r--r-- */
const defaultMode = 0o644;

/** Fills in what a volume of a pod leaves out; one without a source is an empty folder. */
export function volumeDefaults(volume: Volume): void {
  const sources = Object.entries(volume).filter(([key, value]) => key !== "name" && value != null);
  if (sources.length === 0) volume.emptyDir = {};
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) {
    if (source !== undefined) source.defaultMode ??= defaultMode;
  }
  if (volume.hostPath !== undefined) volume.hostPath.type ??= "";
  fieldRefDefaults(volume.downwardAPI?.items);
  projectedDefaults(volume.projected);
  if (volume.iscsi !== undefined) volume.iscsi.iscsiInterface ||= "default";
  rbdDefaults(volume);
  azureDiskDefaults(volume);
  scaleIoDefaults(volume);
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim !== undefined) {
    claim.spec ??= {};
    claim.spec.volumeMode ??= "Filesystem";
  }
}

type Files = readonly { fieldRef?: { apiVersion?: string } }[] | undefined;

function fieldRefDefaults(files: Files): void {
  for (const { fieldRef } of files ?? []) {
    if (fieldRef !== undefined) fieldRef.apiVersion ||= "v1";
  }
}

function projectedDefaults(projected: ProjectedVolumeSource | undefined): void {
  for (const { downwardAPI, serviceAccountToken } of projected?.sources ?? []) {
    fieldRefDefaults(downwardAPI?.items);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= 3600;
  }
}

function rbdDefaults({ rbd }: Volume): void {
  if (rbd === undefined) return;
  rbd.pool ||= "rbd";
  rbd.user ||= "admin";
  rbd.keyring ||= "/etc/ceph/keyring";
}

function azureDiskDefaults({ azureDisk }: Volume): void {
  if (azureDisk === undefined) return;
  azureDisk.cachingMode ??= "ReadWrite";
  azureDisk.kind ??= "Shared";
  azureDisk.fsType ??= "ext4";
  azureDisk.readOnly ??= false;
}

function scaleIoDefaults({ scaleIO }: Volume): void {
  if (scaleIO === undefined) return;
  scaleIO.storageMode ||= "ThinProvisioned";
  scaleIO.fsType ||= "xfs";
}
