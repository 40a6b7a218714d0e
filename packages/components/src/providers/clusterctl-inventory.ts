import type { Component } from "../documents/documents.ts";
import { type ProviderIdentity, providerLabel } from "./provider.ts";

interface InstalledProvider {
  readonly provider: ProviderIdentity;
  readonly version: string;
  readonly namespace: string;
}

/** Labels that clusterctl finds the components of a provider by. */
export function componentLabels(provider: ProviderIdentity): Readonly<Record<string, string>> {
  return {
    "clusterctl.cluster.x-k8s.io": "",
    "cluster.x-k8s.io/provider": providerLabel(provider),
  };
}

/** The object by which clusterctl knows that a provider is installed, and in which version. */
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
