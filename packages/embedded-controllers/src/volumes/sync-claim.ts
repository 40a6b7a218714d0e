import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import {
  defaultStorageClass,
  quote,
  storageClassAnnotation,
  storageClassOf,
  storedObject,
  storedObjects,
} from "@rookery/kube";
import { findVolume, isForClaim, mismatch } from "./find-volume.ts";
import type { VolumeProvisioner } from "./volume-provisioner.ts";
import type { VolumeWriter } from "./volume-writer.ts";

const bindCompleted = "pv.kubernetes.io/bind-completed";
const selectedNode = "volume.kubernetes.io/selected-node";
const classResource = "storageclasses.storage.k8s.io";
const provisionerAnnotations = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
];

export interface Syncing {
  readonly store: StoreReader;
  readonly writer: VolumeWriter;
  /** Undefined where nobody makes volumes here. */
  readonly provisioner: VolumeProvisioner | undefined;
}

/** Brings a claim to its volume, or says why there is none. */
export async function syncClaim(claim: PersistentVolumeClaim, syncing: Syncing): Promise<void> {
  const isBound = claim.metadata?.annotations?.[bindCompleted] !== undefined;
  if (isBound) return syncBound(claim, syncing);
  return claim.spec?.volumeName ? syncNamed(claim, syncing) : syncUnbound(claim, syncing);
}

async function syncBound(claim: PersistentVolumeClaim, syncing: Syncing): Promise<void> {
  const { store, writer } = syncing;
  const name = claim.spec?.volumeName ?? "";
  const lose = async (reason: string, note: string) => {
    if (claim.status?.phase === "Lost") return;
    await writer.claimPhase(claim, "Lost");
    writer.emit(claim, { type: "Warning", reason, note });
  };
  const lost = "Data on the volume is lost!";
  if (name === "") {
    return lose("ClaimLost", `Bound claim has lost reference to PersistentVolume. ${lost}`);
  }
  const volume = volumeOf(store, name);
  if (volume === undefined) {
    return lose("ClaimLost", `Bound claim has lost its PersistentVolume. ${lost}`);
  }
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === claim.metadata?.uid) {
    return writer.bind(volume, claim);
  }
  const twice = "Two claims are bound to the same volume, this one is bound incorrectly";
  return lose("ClaimMisbound", twice);
}

function volumeOf(store: StoreReader, name: string): PersistentVolume | undefined {
  return storedObject(store, { resource: "persistentvolumes", namespace: "", name });
}

/** A claim that asks for one volume by its name. */
async function syncNamed(claim: PersistentVolumeClaim, syncing: Syncing): Promise<void> {
  const { store, writer } = syncing;
  const name = claim.spec?.volumeName ?? "";
  const volume = volumeOf(store, name);
  if (volume === undefined) return writer.claimPhase(claim, "Pending");
  if (volume.spec?.claimRef !== undefined) {
    if (isForClaim(volume, claim)) return writer.bind(volume, claim);
    const note = `volume ${quote(name)} already bound to a different claim.`;
    writer.emit(claim, { type: "Warning", reason: "FailedBinding", note });
    return writer.claimPhase(claim, "Pending");
  }
  const problem = mismatch(volume, claim);
  if (problem === undefined) return writer.bind(volume, claim);
  const note = `Cannot bind to requested volume ${quote(name)}: ${problem}`;
  writer.emit(claim, { type: "Warning", reason: "VolumeMismatch", note });
  return writer.claimPhase(claim, "Pending");
}

async function syncUnbound(claim: PersistentVolumeClaim, syncing: Syncing): Promise<void> {
  const { store, writer } = syncing;
  const name = storageClassOf(claim);
  const key = { resource: classResource, namespace: "", name };
  const found = name === "" ? undefined : storedObject<StorageClass>(store, key);
  const isSelected = claim.metadata?.annotations?.[selectedNode] !== undefined;
  const waits = found?.volumeBindingMode === "WaitForFirstConsumer" && !isSelected;
  const volumes = storedObjects<PersistentVolume>(store, "persistentvolumes");
  const volume = findVolume(claim, volumes, waits);
  if (volume !== undefined) return writer.bind(volume, claim);
  const byDefault = lacksClass(claim) ? defaultStorageClass(store) : undefined;
  if (byDefault !== undefined) {
    const spec = { ...claim.spec, storageClassName: byDefault };
    await writer.claim({ ...claim, spec }, claim);
    return;
  }
  if (waits) {
    const note = "waiting for first consumer to be created before binding";
    writer.emit(claim, { type: "Normal", reason: "WaitForFirstConsumer", note });
  } else if (name !== "") return provision(claim, found, syncing);
  else {
    const note = "no persistent volumes available for this claim and no storage class is set";
    writer.emit(claim, { type: "Normal", reason: "FailedBinding", note });
  }
  await writer.claimPhase(claim, "Pending");
}

/** Whether a claim gets the default class. */
function lacksClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  const annotated = metadata?.annotations?.[storageClassAnnotation];
  return annotated === undefined && spec?.storageClassName === undefined;
}

async function provision(
  claim: PersistentVolumeClaim,
  found: StorageClass | undefined,
  { writer, provisioner: own }: Syncing,
): Promise<void> {
  if (found === undefined) {
    const note = `storageclass.storage.k8s.io ${quote(storageClassOf(claim))} not found`;
    writer.emit(claim, { type: "Warning", reason: "ProvisioningFailed", note });
    return;
  }
  const { provisioner = "" } = found;
  const said = Object.fromEntries(provisionerAnnotations.map((key) => [key, provisioner]));
  const annotations = { ...claim.metadata?.annotations, ...said };
  const known = await writer.claim(
    { ...claim, metadata: { ...claim.metadata, annotations } },
    claim,
  );
  if (provisioner === own?.name) {
    return own.provision(known, found, writer);
  }
  const note = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  writer.emit(known, { type: "Normal", reason: "ExternalProvisioning", note });
}
