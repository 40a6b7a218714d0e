import type { Pod, Volume } from "@rookery/api";
import {
  builtInResources,
  isAlreadyExists,
  isForbidden,
  type KubeObject,
  storedObject,
} from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";

/** Makes the claims of volumes that live as long as their pod. */
export function createEphemeralClaims(context: ControllerContext): Controller {
  const { store, client } = context;
  return createStoreController(context, {
    name: "ephemeral-volume-controller",
    watches: { pods: requestForEntry },
    reconcile: async ({ namespace, name }, signal) => {
      const pod = storedObject<Pod>(store, { resource: "pods", namespace, name });
      if (pod === undefined || pod.metadata?.deletionTimestamp !== undefined) return;
      const volumes = (pod.spec?.volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined);
      const claims = client.resource(builtInResources.persistentVolumeClaims);
      for (const volume of volumes) {
        const claim = claimOf(volume, pod);
        const key = { resource: "persistentvolumeclaims", namespace };
        if (store.get({ ...key, name: claim.metadata.name ?? "" })) continue;
        try {
          await claims.create(claim, { fieldManager, signal });
        } catch (error) {
          // Someone else was faster, or the namespace ends.
          if (!isAlreadyExists(error) && !isForbidden(error)) throw error;
        }
      }
    },
  });
}

function claimOf({ name: volume, ephemeral }: Volume, { metadata }: Pod): KubeObject {
  const { name = "", namespace = "", uid = "" } = metadata ?? {};
  const template = ephemeral?.volumeClaimTemplate;
  const owner = { apiVersion: "v1", kind: "Pod", name, uid };
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: `${name}-${volume}`,
      namespace,
      ...(template?.metadata?.labels && { labels: template.metadata.labels }),
      ...(template?.metadata?.annotations && { annotations: template.metadata.annotations }),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec: template?.spec,
  };
}
