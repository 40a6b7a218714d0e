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

/** The word of each kind in labels and in the names of components files. */
const words: Readonly<Record<ProviderKind, string>> = {
  CoreProvider: "core",
  BootstrapProvider: "bootstrap",
  ControlPlaneProvider: "control-plane",
  InfrastructureProvider: "infrastructure",
  IPAMProvider: "ipam",
  RuntimeExtensionProvider: "runtime-extension",
  AddonProvider: "addon",
};

/** The value of the label cluster.x-k8s.io/provider, such as "bootstrap-kubeadm". */
export function providerLabel({ kind, name }: ProviderIdentity): string {
  return kind === "CoreProvider" ? name : `${words[kind]}-${name}`;
}

/** The default name of the components file of a kind, such as "core-components.yaml". */
export function defaultComponentsFile(kind: ProviderKind): string {
  return `${words[kind]}-components.yaml`;
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
