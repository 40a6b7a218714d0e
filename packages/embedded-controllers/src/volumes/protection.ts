import type { PersistentVolume, PersistentVolumeClaim, Pod } from "@rookery/api";
import {
  builtInResources,
  type KubeObject,
  type StoreEntry,
  type StoreReader,
  storedObjects,
} from "@rookery/kube";
import {
  type Controller,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  requestForEntry,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController, type StoreControllerOptions } from "../context/store-controller.ts";
import { claimsOfPod, isMadeFor } from "./claims-of-pod.ts";

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";

/** Keeps claims that are deleted while pods use them, until those have gone. */
export function createClaimProtection(context: ControllerContext): Controller {
  const { store } = context;
  return createProtection(context, {
    name: "persistentvolumeclaim-protection-controller",
    resource: builtInResources.persistentVolumeClaims,
    finalizer: claimFinalizer,
    isUsed: (claim) => isUsedByPod(claim as PersistentVolumeClaim, store),
    watches: { pods: claimRequests },
  });
}

/** Keeps volumes that are deleted while they are bound. */
export function createVolumeProtection(context: ControllerContext): Controller {
  return createProtection(context, {
    name: "persistentvolume-protection-controller",
    resource: builtInResources.persistentVolumes,
    finalizer: volumeFinalizer,
    isUsed: (volume) => (volume as PersistentVolume).status?.phase === "Bound",
    watches: {},
  });
}

interface ProtectionOptions extends Pick<StoreControllerOptions, "name" | "watches"> {
  readonly resource:
    | typeof builtInResources.persistentVolumes
    | typeof builtInResources.persistentVolumeClaims;
  readonly finalizer: string;
  readonly isUsed: (object: KubeObject) => boolean;
}

function createProtection(context: ControllerContext, options: ProtectionOptions): Controller {
  const { store, client } = context;
  const { resource, finalizer, isUsed } = options;
  const { plural } = resource;
  return createStoreController(context, {
    name: options.name,
    watches: { [plural]: requestForEntry, ...options.watches },
    reconcile: async (key, signal) => {
      const object = store.get({ resource: plural, ...key })?.object;
      if (object === undefined) return;
      const isHeld = hasFinalizer(object, finalizer);
      const isGoing = isBeingDeleted(object);
      const wanted = isGoing ? isHeld && isUsed(object) : true;
      if (isHeld === wanted) return;
      const changed = wanted
        ? withFinalizer(object, finalizer)
        : withoutFinalizer(object, finalizer);
      await client.resource(resource).update(changed, { fieldManager, signal });
    },
  });
}

function claimRequests({ namespace, object }: StoreEntry): readonly Request[] {
  return claimsOfPod(object as Pod).map(({ name }) => ({ namespace, name }));
}

/** A pod that waits for a node does not use its claims yet. */
function isUsedByPod(claim: PersistentVolumeClaim, store: StoreReader): boolean {
  const { namespace = "", name } = claim.metadata ?? {};
  return storedObjects<Pod>(store, "pods", namespace).some((pod) => {
    if (!pod.spec?.nodeName) return false;
    return claimsOfPod(pod).some((each) => {
      if (each.name !== name) return false;
      return !each.isEphemeral || (isMadeFor(claim, pod) && !isShutDown(pod));
    });
  });
}

function isShutDown({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
