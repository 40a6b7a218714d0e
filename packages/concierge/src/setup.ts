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
 * Wires the concierge into a provider: the authenticators, the source of credentials, and the API that trades
 * tokens for credentials. Errors: OwnNamespaceError.
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
