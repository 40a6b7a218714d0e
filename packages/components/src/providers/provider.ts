import type { Component } from "../documents/documents.ts";

/** The kinds of providers, by their own kind as objects. */
export const providerKindNames = [
  "CoreProvider",
  "BootstrapProvider",
  "ControlPlaneProvider",
  "InfrastructureProvider",
  "IPAMProvider",
  "RuntimeExtensionProvider",
  "AddonProvider",
] as const;

export type ProviderKind = (typeof providerKindNames)[number];

/** The kind and the name of a provider, such as InfrastructureProvider "aws". */
export interface ProviderIdentity {
  readonly kind: ProviderKind;
  readonly name: string;
}

/** A word of each kind: in labels, and in the names of components files. */
const words: Readonly<Record<ProviderKind, { label: string; file: string }>> = {
  CoreProvider: { label: "", file: "core" },
  BootstrapProvider: { label: "bootstrap-", file: "bootstrap" },
  ControlPlaneProvider: { label: "control-plane-", file: "control-plane" },
  InfrastructureProvider: { label: "infrastructure-", file: "infrastructure" },
  IPAMProvider: { label: "ipam-", file: "ipam" },
  RuntimeExtensionProvider: { label: "runtime-extension-", file: "runtime-extension" },
  AddonProvider: { label: "addon-", file: "addon" },
};

/** The value of the label cluster.x-k8s.io/provider, such as "bootstrap-kubeadm". */
export function providerLabel({ kind, name }: ProviderIdentity): string {
  return `${words[kind].label}${name}`;
}

/** The default name of the components file of a kind, such as "core-components.yaml". */
export function defaultComponentsFile(kind: ProviderKind): string {
  return `${words[kind].file}-components.yaml`;
}

interface InstalledProvider {
  readonly provider: ProviderIdentity;
  readonly version: string;
  readonly namespace: string;
}

/** The labels by which clusterctl finds a provider's components. */
export function componentLabels(provider: ProviderIdentity): Readonly<Record<string, string>> {
  return {
    "clusterctl.cluster.x-k8s.io": "",
    "cluster.x-k8s.io/provider": providerLabel(provider),
  };
}

/** clusterctl's record of an installed provider and its version. */
export function clusterctlProvider(installed: InstalledProvider): Component {
  const { provider, version, namespace } = installed;
  const labels = {
    ...componentLabels(provider),
    "clusterctl.cluster.x-k8s.io/core": "inventory",
  };
  return {
    apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
    kind: "Provider",
    metadata: { name: providerLabel(provider), namespace, labels },
    providerName: provider.name,
    type: provider.kind,
    version,
  };
}
