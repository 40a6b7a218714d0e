import type { Provider } from "@rookery/api";
import { contentHash, type ProviderIdentity, providerLabel } from "@rookery/components";

/** Which provider an object declares. */
export function identityOf({ kind, metadata }: Provider): ProviderIdentity {
  return { kind: kind as ProviderIdentity["kind"], name: metadata.name ?? "" };
}

/**
 * The value of the label cluster.x-k8s.io/provider on a provider's components. An instance with API
 * groups of its own has one of its own: it is none of those that clusterctl knows.
 */
export function labelOf(provider: Provider): string {
  const label = providerLabel(identityOf(provider));
  const suffix = provider.spec?.apiGroupSuffix;
  if (suffix === undefined) return label;
  const own = `${label}.${suffix}`;
  return own.length <= 63 ? own : `${label.slice(0, 46)}-${contentHash(own).slice(0, 16)}`;
}
