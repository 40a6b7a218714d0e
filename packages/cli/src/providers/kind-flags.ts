import type { ProviderKind } from "@rookery/components";

export interface KindFlag {
  readonly kind: ProviderKind;
  /** The name of Commander's option. */
  readonly key: string;
  readonly flag: string;
  readonly summary: string;
}

/** The flag of each kind of provider, in the order of their installation. */
export const kindFlags = [
  {
    kind: "CoreProvider",
    key: "core",
    flag: "--core",
    summary: "the core provider, such as cluster-api",
  },
  {
    kind: "BootstrapProvider",
    key: "bootstrap",
    flag: "-b, --bootstrap",
    summary: "bootstrap providers, such as kubeadm",
  },
  {
    kind: "ControlPlaneProvider",
    key: "controlPlane",
    flag: "-c, --control-plane",
    summary: "control plane providers, such as kubeadm",
  },
  {
    kind: "InfrastructureProvider",
    key: "infrastructure",
    flag: "-i, --infrastructure",
    summary: "infrastructure providers, such as vsphere",
  },
  {
    kind: "IPAMProvider",
    key: "ipam",
    flag: "--ipam",
    summary: "IPAM providers, such as in-cluster",
  },
  {
    kind: "AddonProvider",
    key: "addon",
    flag: "--addon",
    summary: "add-on providers, such as helm",
  },
  {
    kind: "RuntimeExtensionProvider",
    key: "runtimeExtension",
    flag: "--runtime-extension",
    summary: "runtime extensions, such as nutanix",
  },
] as const satisfies readonly KindFlag[];

export type KindKey = (typeof kindFlags)[number]["key"];
