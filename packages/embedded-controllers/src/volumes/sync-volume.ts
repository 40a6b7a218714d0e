import type { PersistentVolume, PersistentVolumeClaim } from "@rookery/api";
import { quote, storedObject } from "@rookery/kube";
import { isSameMode } from "./find-volume.ts";
import type { Syncing } from "./sync-claim.ts";

const boundByController = "pv.kubernetes.io/bound-by-controller";
const provisionedBy = "pv.kubernetes.io/provisioned-by";

/** Keeps the phase of a volume, and does with a released one what its policy says. */
export async function syncVolume(volume: PersistentVolume, syncing: Syncing): Promise<void> {
  const { store, writer } = syncing;
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || !claimRef.uid) {
    const settled = await writer.volumePhase(volume, "Available");
    await syncing.provisioner?.finalize(settled, writer);
    return;
  }
  const { namespace = "", name = "", uid } = claimRef;
  const key = { resource: "persistentvolumeclaims", namespace, name };
  const found = storedObject<PersistentVolumeClaim>(store, key);
  const claim = found?.metadata?.uid === uid ? found : undefined;
  if (claim === undefined) return release(volume, syncing);
  const bound = claim.spec?.volumeName ?? "";
  if (bound === volume.metadata?.name) return void (await writer.volumePhase(volume, "Bound"));
  // The claim itself finds the volume that is made for it.
  if (bound === "") return emitMismatch(volume, claim, syncing);
  const isProvisioned = volume.metadata?.annotations?.[provisionedBy] !== undefined;
  if (isProvisioned && policyOf(volume) === "Delete") return release(volume, syncing);
  return unbind(volume, syncing);
}

function emitMismatch(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  { writer }: Syncing,
): void {
  if (isSameMode(volume, claim)) return;
  const [type, reason] = ["Warning", "VolumeMismatch"] as const;
  const why = "due to incompatible volumeMode.";
  const of = `PersistentVolumeClaim ${quote(claim.metadata?.name ?? "")}`;
  writer.emit(volume, {
    type,
    reason,
    note: `Cannot bind PersistentVolume to requested ${of} ${why}`,
  });
  const to = `PersistentVolume ${quote(volume.metadata?.name ?? "")}`;
  writer.emit(claim, {
    type,
    reason,
    note: `Cannot bind ${to} to requested PersistentVolumeClaim ${why}`,
  });
}

function policyOf({ spec }: PersistentVolume): string {
  return spec?.persistentVolumeReclaimPolicy ?? "Retain";
}

/** Its claim has gone for good. */
async function release(volume: PersistentVolume, { writer, provisioner }: Syncing): Promise<void> {
  const isSaid = ["Released", "Failed"].includes(volume.status?.phase ?? "");
  const released = isSaid ? volume : await writer.volumePhase(volume, "Released");
  if (policyOf(released) === "Delete") {
    if (provisioner?.isOwn(released)) {
      await provisioner.remove(released);
      await writer.delete(released);
    } else if (released.metadata?.annotations?.[provisionedBy] === undefined) {
      const { name = "" } = released.metadata ?? {};
      const why = `error getting deleter volume plugin for volume ${quote(name)}: no volume plugin matched`;
      const isNew = released.status?.phase !== "Failed";
      await writer.volumePhase(released, "Failed", why);
      const said = { type: "Warning", reason: "VolumeFailedDelete", note: why } as const;
      if (isNew) writer.emit(released, said);
    }
  }
  await provisioner?.finalize(released, writer);
}

/** A volume that was reserved by hand stays so; one that was found is free again. */
async function unbind(volume: PersistentVolume, { writer }: Syncing): Promise<void> {
  const { [boundByController]: found, ...annotations } = volume.metadata?.annotations ?? {};
  const { claimRef, ...spec } = volume.spec ?? {};
  const { uid: _, resourceVersion: __, ...reserved } = claimRef ?? {};
  const wanted = {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    spec: found === undefined ? { ...spec, claimRef: reserved } : spec,
  };
  await writer.volumePhase(await writer.volume(wanted, volume), "Available");
}
