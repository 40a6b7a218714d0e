import type { Provider } from "@rookery/runtime";
import { addAuthenticators } from "./add-authenticators.ts";
import { addSigning } from "./add-signing.ts";
import { addAggregatedApi, type CertificatePolicy } from "./aggregated-api/add-aggregated-api.ts";
import type { AggregatedApiServer } from "./aggregated-api/aggregated-api-server.ts";
import { SystemNames } from "./authenticators/system-names.ts";
import { createConciergeMetrics } from "./concierge-metrics.ts";
import { createParts } from "./concierge-parts.ts";
import type { ConciergeFlagValues } from "./flags.ts";

/**
 * Wires the concierge into a provider: who vouches for users, what signs for them, and the API where
 * one is traded for the other. Errors: OwnNamespaceError.
 */
export function setupConcierge(
  provider: Provider,
  flags: ConciergeFlagValues,
  certificate: CertificatePolicy = {},
): AggregatedApiServer {
  const parts = createParts(provider, flags);
  const metrics = createConciergeMetrics(provider.metrics);
  const find = addAuthenticators(parts, metrics);
  const names = new SystemNames(flags.allowedSystemNames);
  const source = addSigning(parts, names);
  metrics.strategies(() => source.reports);
  const sign = source.sign.bind(source);
  return addAggregatedApi(parts, { find, names, sign, onTrade: metrics.traded, certificate });
}
