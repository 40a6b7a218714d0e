import {
  type ConfigMap,
  configMapOf,
  type FetchConfiguration,
  type ProviderIdentity,
  providerLabel,
} from "@rookery/components";
import type { Release } from "./release-source.ts";

/** The label of Secrets and ConfigMaps that a command creates for a provider. */
export const suppliedLabel = "rookery.dev/supplied-for";

/** A release of this machine as a ConfigMap. */
export function shippedRelease(
  identity: ProviderIdentity,
  namespace: string,
  release: Release,
): ConfigMap {
  const label = providerLabel(identity);
  const name = `${label}-${release.version}`.toLowerCase().replace("+", "-");
  return configMapOf({ name, namespace, labels: { [suppliedLabel]: label } }, release);
}

/** The configuration by which the operator finds such releases. */
export function shippedFetchConfig(identity: ProviderIdentity): FetchConfiguration {
  return { selector: { matchLabels: { [suppliedLabel]: providerLabel(identity) } } };
}
