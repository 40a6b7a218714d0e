import type { Provider } from "@rookery/api";
import { type ProviderIdentity, providerLabel } from "@rookery/components";

/** Which provider an object declares. */
export function identityOf({ kind, metadata }: Provider): ProviderIdentity {
  return { kind: kind as ProviderIdentity["kind"], name: metadata.name ?? "" };
}

/** The value of the label cluster.x-k8s.io/provider on a provider's components. */
export function labelOf(provider: Provider): string {
  return providerLabel(identityOf(provider));
}
