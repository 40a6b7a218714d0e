import { chmod, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "@rookery/api";

const folderProvisioner = "rookery.dev/folder";
/** Keeps a volume until its folder has gone. */
const finalizer = "rookery.dev/folder";
const provisionedBy = "pv.kubernetes.io/provisioned-by";

/** The class of claims that do not say another one, where there is a node. */
export const standardStorageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner: folderProvisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
} as const;

/** Writes volumes to the API server, for the controller that binds them to claims. */
export interface VolumeWrites {
  create(volume: PersistentVolume): Promise<void>;
  volume(wanted: PersistentVolume, current: PersistentVolume): Promise<PersistentVolume>;
  emit(about: object, said: { type: "Normal" | "Warning"; reason: string; note: string }): void;
}

/** Volumes that are folders of this machine. */
export class FolderVolumes {
  readonly name = folderProvisioner;
  readonly #root: string;

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** Makes a folder and the volume of it that a claim waits for. Either may be there already. */
  async provision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    writer: VolumeWrites,
  ): Promise<void> {
    const { uid = "" } = claim.metadata ?? {};
    const name = `pvc-${uid}`;
    const path = join(this.#root, name);
    await mkdir(path, { recursive: true });
    // For pods of any user; the folder of all volumes is closed to other users.
    await chmod(path, 0o777);
    await writer.create(volumeOf(claim, { storageClass, name, path }));
    const note = `Successfully provisioned volume ${name}`;
    writer.emit(claim, { type: "Normal", reason: "ProvisioningSucceeded", note });
  }

  isOwn(volume: PersistentVolume): boolean {
    return isFolderVolume(volume);
  }

  /** Deletes the folder with all that is in it. */
  async remove({ metadata }: PersistentVolume): Promise<void> {
    // By its name, and not by a path that someone may have changed.
    await rm(join(this.#root, metadata?.name ?? ""), { recursive: true, force: true });
  }

  /** Removes the finalizer of an unused volume that is being deleted. */
  async finalize(volume: PersistentVolume, writer: VolumeWrites): Promise<void> {
    const { deletionTimestamp, finalizers = [] } = volume.metadata ?? {};
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
    if (volume.spec?.persistentVolumeReclaimPolicy === "Delete") await this.remove(volume);
    const kept = finalizers.filter((each) => each !== finalizer);
    await writer.volume({ ...volume, metadata: { ...volume.metadata, finalizers: kept } }, volume);
  }

  /** Removes folders that a killed process made for claims that have gone: they are empty. */
  async sweep(isKnown: (name: string) => boolean): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    await chmod(this.#root, 0o700);
    const names = (await readdir(this.#root)).filter((name) => name.startsWith("pvc-"));
    for (const name of names.filter((each) => !isKnown(each))) {
      // What is kept for its owner is not empty, and stays.
      await rmdir(join(this.#root, name)).catch(() => {});
    }
  }
}

/** Whether a volume is a folder that was made for its claim, and not any other one of the machine. */
export function isFolderVolume({
  metadata,
}: {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}): boolean {
  return metadata?.annotations?.[provisionedBy] === folderProvisioner;
}

function volumeOf(
  claim: PersistentVolumeClaim,
  made: { readonly storageClass: StorageClass; readonly name: string; readonly path: string },
): PersistentVolume {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = claim.metadata ?? {};
  const { accessModes = [], resources, volumeMode = "Filesystem" } = claim.spec ?? {};
  const { metadata, reclaimPolicy = "Delete", mountOptions } = made.storageClass;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: made.name,
      annotations: { [provisionedBy]: folderProvisioner },
      finalizers: [finalizer],
    },
    spec: {
      capacity: { storage: resources?.requests?.storage ?? "0" },
      accessModes,
      volumeMode,
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: metadata?.name ?? "",
      ...(mountOptions && { mountOptions }),
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace,
        name,
        uid,
        resourceVersion,
      },
      hostPath: { path: made.path, type: "DirectoryOrCreate" },
    },
  };
}
