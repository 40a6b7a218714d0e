import {
  type ConfigMap,
  configMapOf,
  type FetchConfiguration,
  type ProviderIdentity,
  providerLabel,
} from "@rookery/components";
import type { Release } from "./release-source.ts";

/** On what a command brings beside the object of a provider: its variables, and releases of it. */
export const suppliedLabel = "rookery.dev/supplied-for";

/** A release that lies on this machine, for the cluster. */
export function shippedRelease(
  identity: ProviderIdentity,
  namespace: string,
  release: Release,
): ConfigMap {
  const label = providerLabel(identity);
  const name = `${label}-${release.version}`.toLowerCase().replace("+", "-");
  return configMapOf({ name, namespace, labels: { [suppliedLabel]: label } }, release);
}

/** Where the operator finds such releases. */
export function shippedFetchConfig(identity: ProviderIdentity): FetchConfiguration {
  return { selector: { matchLabels: { [suppliedLabel]: providerLabel(identity) } } };
}
