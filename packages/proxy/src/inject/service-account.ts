import { serviceAccountFolder } from "../sidecar.ts";
import { isKind } from "./kinds.ts";
import { type Manifest, nameOf } from "./manifest.ts";
import { containersOf, type PodSpec, podSpecOf, type Volume, type VolumeMount } from "./pods.ts";
import { volumeNames } from "./sidecar-container.ts";

export type AccountSource = "automatic" | "mounted" | "none";

export function accountSource(manifest: Manifest, manifests: readonly Manifest[]): AccountSource {
  const spec = podSpecOf(manifest) ?? {};
  if (accountMountOf(spec)) return "mounted";
  const account = manifests.find(
    (other) =>
      isKind(other, "", "ServiceAccount") &&
      nameOf(other) === (spec.serviceAccountName ?? "default"),
  );
  const automatic = spec.automountServiceAccountToken ?? account?.automountServiceAccountToken;
  return automatic === false ? "none" : "automatic";
}

/** The mount of a service account that the app configures itself. */
export function accountMountOf(spec: PodSpec): VolumeMount | undefined {
  return containersOf(spec)
    .flatMap(({ volumeMounts }) => volumeMounts ?? [])
    .find(isAccountMount);
}

export function isAccountMount({ mountPath }: VolumeMount): boolean {
  return mountPath.replace(/\/$/, "") === serviceAccountFolder;
}

export const ownAccountMount: VolumeMount = {
  name: volumeNames.account,
  mountPath: serviceAccountFolder,
  readOnly: true,
};

/** The projected volume of Kubernetes, for pods that disable it but whose proxy needs it. */
export const ownAccountVolume: Volume = {
  name: volumeNames.account,
  projected: {
    sources: [
      { serviceAccountToken: { path: "token", expirationSeconds: 3607 } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { fieldPath: "metadata.namespace" } }],
        },
      },
    ],
  },
};
