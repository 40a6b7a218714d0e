import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "@rookery/api";
import type { VolumeWriter } from "./volume-writer.ts";

/** Makes volumes for claims of its storage classes, and removes them. */
export interface VolumeProvisioner {
  /** The field provisioner of its storage classes. */
  readonly name: string;
  /** Makes the volume for a claim. Parts of it may exist already. */
  provision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    writer: VolumeWriter,
  ): Promise<void>;
  isOwn(volume: PersistentVolume): boolean;
  /** Deletes a volume with its data. */
  remove(volume: PersistentVolume): Promise<void>;
  /** Removes its finalizer from a volume that is being deleted and that nobody uses. */
  finalize(volume: PersistentVolume, writer: VolumeWriter): Promise<void>;
  /** At the start: removes what a killed process left behind. */
  sweep(isKnown: (name: string) => boolean): Promise<void>;
}
