import type { PersistentVolume, PersistentVolumeClaim } from "@rookery/api";
import type { AdmissionPlugin } from "@rookery/apiserver";
import { mutating } from "./mutating.ts";
import { isAbout } from "./refusal.ts";

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: "kubernetes.io/pv-protection",
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
};

/** Holds volumes and claims from the beginning, until their controllers know that nobody uses them. */
export function createStorageProtection(): AdmissionPlugin {
  return {
    name: "StorageObjectInUseProtection",
    operations: ["CREATE"],
    mutate: mutating<PersistentVolume | PersistentVolumeClaim>(
      (attributes) => Object.keys(finalizers).some((plural) => isAbout(attributes, plural)),
      (object, { resource }) => {
        const finalizer = finalizers[resource.resource] ?? "";
        const own = object.metadata?.finalizers ?? [];
        if (own.includes(finalizer)) return;
        object.metadata = { ...object.metadata, finalizers: [...own, finalizer] };
      },
    ),
  };
}
