import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Toleration } from "@rookery/api";
import type { AdmissionPlugin } from "@rookery/apiserver";
import { defaultStorageClass } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { mutating } from "./mutating.ts";

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: "kubernetes.io/pv-protection",
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
};

/** Adds the finalizers by which controllers protect volumes and claims in use. */
export const storageProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  operations: ["CREATE"],
  mutate: mutating<PersistentVolume | PersistentVolumeClaim>(
    Object.keys(finalizers),
    (object, { resource }) => {
      const finalizer = finalizers[resource.resource] ?? "";
      const own = object.metadata?.finalizers ?? [];
      if (own.includes(finalizer)) return;
      object.metadata = { ...object.metadata, finalizers: [...own, finalizer] };
    },
  ),
};

const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";

/** Adds tolerations for five minutes on nodes that are not ready or unreachable. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  operations: ["CREATE", "UPDATE"],
  mutate: mutating<Pod>("pods", (pod) => {
    pod.spec ??= {};
    const own = pod.spec.tolerations ?? [];
    const missing = [notReady, unreachable].filter((key) => !own.some(tolerates(key)));
    if (missing.length === 0) return;
    pod.spec.tolerations = [...own, ...missing.map(fiveMinutes)];
  }),
};

function tolerates(taint: string): (toleration: Toleration) => boolean {
  return ({ key = "", effect = "" }) =>
    (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}

function fiveMinutes(key: string): Toleration {
  return { key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
}

/** Taints new nodes until they are ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  operations: ["CREATE"],
  mutate: mutating<Node>("nodes", (node) => {
    node.spec ??= {};
    const taint = { key: notReady, effect: "NoSchedule" };
    const own = node.spec.taints ?? [];
    const isTainted = own.some(({ key, effect }) => key === notReady && effect === taint.effect);
    if (!isTainted) node.spec.taints = [...own, taint];
  }),
};

/** Sets the default StorageClass of claims without a class. */
export function createDefaultStorageClass(store: Store): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    operations: ["CREATE"],
    mutate: mutating<PersistentVolumeClaim>("persistentvolumeclaims", (claim) => {
      const annotated = claim.metadata?.annotations?.["volume.beta.kubernetes.io/storage-class"];
      claim.spec ??= {};
      if (annotated !== undefined || claim.spec.storageClassName !== undefined) return;
      const name = defaultStorageClass(store);
      if (name !== undefined) claim.spec.storageClassName = name;
    }),
  };
}
