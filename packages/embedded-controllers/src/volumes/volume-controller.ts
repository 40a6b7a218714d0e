import type { PersistentVolume, PersistentVolumeClaim } from "@rookery/api";
import { type StoreEntry, type StoreReader, storedObject } from "@rookery/kube";
import {
  type Controller,
  type EventRecorder,
  type Request,
  requestForEntry,
} from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { type Syncing, syncClaim } from "./sync-claim.ts";
import { syncVolume } from "./sync-volume.ts";
import type { VolumeProvisioner } from "./volume-provisioner.ts";
import { VolumeWriter } from "./volume-writer.ts";

export interface VolumeControllerOptions {
  readonly recorder: EventRecorder;
  /** By default no controller makes volumes. */
  readonly provisioner?: VolumeProvisioner | undefined;
}

/** Binds claims to volumes, has volumes made by its provisioner, and removes released ones. */
export function createVolumeController(
  context: ControllerContext,
  { recorder, provisioner }: VolumeControllerOptions,
): Controller {
  const { store } = context;
  return createStoreController(context, {
    name: "persistentvolume-binder-controller",
    sources: provisioner ? [{ name: "volumes", start: () => sweep(provisioner, store) }] : [],
    watches: {
      persistentvolumes: (entry) => [
        ...requestForEntry(entry),
        ...claimOf(entry),
        // Other claims may be waiting for a new volume.
        ...unboundClaims(store),
      ],
      persistentvolumeclaims: (entry) => [...requestForEntry(entry), ...volumesOf(entry, store)],
      "storageclasses.storage.k8s.io": () => unboundClaims(store),
    },
    reconcile: async (key, signal) => {
      const writer = new VolumeWriter(context, recorder, signal);
      await sync(key, { store, writer, provisioner });
    },
  });
}

/** A volume has no namespace, a claim does. */
async function sync({ namespace, name }: Request, syncing: Syncing): Promise<void> {
  const { store } = syncing;
  if (!namespace) {
    const key = { resource: "persistentvolumes", namespace: "", name };
    const volume = storedObject<PersistentVolume>(store, key);
    if (volume !== undefined) await syncVolume(volume, syncing);
    return;
  }
  const key = { resource: "persistentvolumeclaims", namespace, name };
  const claim = storedObject<PersistentVolumeClaim>(store, key);
  if (claim !== undefined) await syncClaim(claim, syncing);
}

function claimOf({ object }: StoreEntry): readonly Request[] {
  const { namespace = "", name = "" } = (object as PersistentVolume).spec?.claimRef ?? {};
  return name === "" ? [] : [{ namespace, name }];
}

function unboundClaims(store: StoreReader): readonly Request[] {
  return store
    .list("persistentvolumeclaims")
    .entries.filter(({ object }) => {
      return (object as PersistentVolumeClaim).status?.phase !== "Bound";
    })
    .map(({ namespace, name }) => ({ namespace, name }));
}

/** The volume that a claim names, and those that name it. */
function volumesOf(
  { namespace, name, object }: StoreEntry,
  store: StoreReader,
): readonly Request[] {
  const { volumeName } = (object as PersistentVolumeClaim).spec ?? {};
  const { entries } = store.list("persistentvolumes");
  return entries
    .filter((entry) => {
      const { claimRef } = (entry.object as PersistentVolume).spec ?? {};
      const isReferring = claimRef?.namespace === namespace && claimRef.name === name;
      return entry.name === volumeName || isReferring;
    })
    .map((entry) => ({ namespace: "", name: entry.name }));
}

function sweep(provisioner: VolumeProvisioner, store: StoreReader): Promise<void> {
  const volumes = store.list("persistentvolumes").entries.map(({ name }) => name);
  const claims = store.list("persistentvolumeclaims").entries.map(({ object }) => {
    return `pvc-${object.metadata.uid}`;
  });
  const known = new Set([...volumes, ...claims]);
  return provisioner.sweep((name) => known.has(name));
}
