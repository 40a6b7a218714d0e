import type { PersistentVolume, PersistentVolumeClaim } from "@rookery/api";
import {
  type LabelSelector,
  labelSelectorAsSelector,
  parseQuantity,
  storageClassOf,
} from "@rookery/kube";

/** Whether a volume says that it is for a claim; it may do so before the claim is there. */
export function isForClaim({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { claimRef } = spec ?? {};
  const { namespace, name, uid } = claim.metadata ?? {};
  if (claimRef === undefined) return false;
  const isSame = claimRef.namespace === namespace && claimRef.name === name;
  return isSame && (!claimRef.uid || claimRef.uid === uid);
}

/**
 * The volume for a claim: one that says so itself, else the smallest that is free and does. Those
 * with few access modes are looked at first. A claim that waits for its pod gets only the former.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  waits: boolean,
): PersistentVolume | undefined {
  const fitting = volumes.filter((volume) => {
    const isFree = volume.spec?.claimRef === undefined || isForClaim(volume, claim);
    return (
      isFree &&
      volume.metadata?.deletionTimestamp === undefined &&
      hasModes(volume, claim) &&
      isLargeEnough(volume, claim) &&
      isSameMode(volume, claim) &&
      isSameAttributes(volume, claim)
    );
  });
  const own = fitting.find((volume) => isForClaim(volume, claim));
  if (own !== undefined || waits) return own;
  const [best] = fitting.filter((volume) => isOffered(volume, claim)).toSorted(bySuitability);
  return best;
}

function isOffered(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { selector } = claim.spec ?? {};
  const isSelected =
    selector === undefined ||
    labelSelectorAsSelector(selector as LabelSelector).matches(volume.metadata?.labels ?? {});
  return (
    volume.status?.phase === "Available" &&
    isSelected &&
    storageClassOf(volume) === storageClassOf(claim)
  );
}

function bySuitability(a: PersistentVolume, b: PersistentVolume): number {
  const byModes = (a.spec?.accessModes ?? []).length - (b.spec?.accessModes ?? []).length;
  if (byModes !== 0) return byModes;
  const [one, other] = [capacityOf(a), capacityOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Why a volume that a claim asks for by name is not for it; undefined where it is. */
export function mismatch(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): string | undefined {
  if (volume.metadata?.deletionTimestamp !== undefined) {
    return `the volume is marked for deletion "${volume.metadata.name}"`;
  }
  if (!isLargeEnough(volume, claim)) return "requested PV is too small";
  if (storageClassOf(volume) !== storageClassOf(claim)) return "storageClassName does not match";
  if (!isSameAttributes(volume, claim)) return "volumeAttributesClassName does not match";
  if (!isSameMode(volume, claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

function capacityOf({ spec }: PersistentVolume): bigint {
  return parseQuantity(String(spec?.capacity?.storage ?? "0")).milliValue();
}

function isLargeEnough(volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean {
  const wanted = parseQuantity(String(spec?.resources?.requests?.storage ?? "0")).milliValue();
  return capacityOf(volume) >= wanted;
}

function hasModes({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}

export function isSameMode({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (spec?.volumeMode ?? "Filesystem") === (claim.spec?.volumeMode ?? "Filesystem");
}

function isSameAttributes({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const [one, other] = [spec?.volumeAttributesClassName, claim.spec?.volumeAttributesClassName];
  return (one ?? "") === (other ?? "");
}
