import type { Provider } from "@rookery/api";
import { contentHash, type ProviderIdentity, providerLabel } from "@rookery/components";

export function identityOf({ kind, metadata }: Provider): ProviderIdentity {
  return { kind: kind as ProviderIdentity["kind"], name: metadata.name ?? "" };
}

/** The value of the label cluster.x-k8s.io/provider on components; with API groups of its own, a unique one. */
export function labelOf(provider: Provider): string {
  const label = providerLabel(identityOf(provider));
  const suffix = provider.spec?.apiGroupSuffix;
  if (suffix === undefined) return label;
  const own = `${label}.${suffix}`;
  return own.length <= 63 ? own : `${label.slice(0, 46)}-${contentHash(own).slice(0, 16)}`;
}
