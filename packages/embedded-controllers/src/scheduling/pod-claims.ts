import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import { quote, storageClassOf, storedObject } from "@rookery/kube";
import { claimsOfPod, isClaimBound } from "../volumes/claims-of-pod.ts";
import { matchesTerms } from "./node-affinity.ts";

/** The effect of a pod's claims on its placement. */
export type ClaimVerdict =
  | { readonly kind: "problem"; readonly message: string }
  | {
      readonly kind: "usable";
      /** Claims that are bound only when it is known where their pod runs. */
      readonly waiting: readonly PersistentVolumeClaim[];
      readonly volumes: readonly PersistentVolume[];
    };

/** Looks at what a pod claims, before any node is. */
export function judgeClaims(pod: Pod, store: StoreReader): ClaimVerdict {
  const { namespace = "" } = pod.metadata ?? {};
  const waiting: PersistentVolumeClaim[] = [];
  const volumes: PersistentVolume[] = [];
  for (const { name, isEphemeral } of claimsOfPod(pod)) {
    const key = { resource: "persistentvolumeclaims", namespace, name };
    const claim = storedObject<PersistentVolumeClaim>(store, key);
    const problem = problemOf(claim, name, isEphemeral);
    if (claim === undefined || problem !== undefined) {
      return { kind: "problem", message: problem ?? "" };
    }
    if (isClaimBound(claim)) {
      const volume = { resource: "persistentvolumes", namespace: "" };
      const found = store.get({ ...volume, name: claim.spec?.volumeName ?? "" });
      if (found) volumes.push(found.object as PersistentVolume);
    } else if (waitsForConsumer(claim, store)) waiting.push(claim);
    else {
      const message = "pod has unbound immediate PersistentVolumeClaims";
      return { kind: "problem", message };
    }
  }
  return { kind: "usable", waiting, volumes };
}

function problemOf(
  claim: PersistentVolumeClaim | undefined,
  name: string,
  isEphemeral: boolean,
): string | undefined {
  if (claim === undefined) {
    const why = "waiting for ephemeral volume controller to create the persistentvolumeclaim";
    return isEphemeral ? `${why} ${quote(name)}` : `persistentvolumeclaim ${quote(name)} not found`;
  }
  if (claim.status?.phase === "Lost") {
    const volume = quote(claim.spec?.volumeName ?? "");
    return `persistentvolumeclaim ${quote(name)} bound to non-existent persistentvolume ${volume}`;
  }
  if (claim.metadata?.deletionTimestamp === undefined) return undefined;
  return `persistentvolumeclaim ${quote(name)} is being deleted`;
}

function waitsForConsumer(claim: PersistentVolumeClaim, store: StoreReader): boolean {
  const name = storageClassOf(claim);
  const key = { resource: "storageclasses.storage.k8s.io", namespace: "", name };
  const found = name === "" ? undefined : storedObject<StorageClass>(store, key);
  return found?.volumeBindingMode === "WaitForFirstConsumer";
}

/** Whether all volumes can be reached from a node. */
export function reachesVolumes(volumes: readonly PersistentVolume[], node: Node): boolean {
  return volumes.every(({ spec }) => {
    const required = spec?.nodeAffinity?.required;
    return required === undefined || matchesTerms(required.nodeSelectorTerms ?? [], node);
  });
}
