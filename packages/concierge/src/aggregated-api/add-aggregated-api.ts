import { createApiServer } from "@rookery/apiserver";
import {
  type CertificateSource,
  createIssuedCertificate,
  type IssuedCertificateOptions,
  injectIntoAll,
  issuedSecretName,
} from "@rookery/runtime";
import type { ConciergeParts } from "../concierge-parts.ts";
import { identityGroup, loginGroup } from "../groups.ts";
import { apiServices, secrets } from "../resources.ts";
import { AggregatedApiServer } from "./aggregated-api-server.ts";
import { createDelegation } from "./delegation.ts";
import { type ApiService, injectIntoApiService } from "./publish-ca-bundle.ts";
import { conciergeGroups } from "./served-groups.ts";
import type { TokenExchangeDependencies } from "./token-credential-request.ts";

/** How the serving certificate is renewed. */
export type CertificatePolicy = Partial<
  Pick<
    IssuedCertificateOptions,
    "authorityLifetimeSeconds" | "leafLifetimeSeconds" | "settleSeconds" | "resyncMs" | "now"
  >
>;

/**
 * Anybody may ask, without a credential: what they send is small, and those who have one are not kept
 * waiting by those who have none.
 */
export const aggregatedApiLimits = {
  maxBodyBytes: 64 * 1024,
  maxInFlight: { readOnly: 400, mutating: 200, anonymous: 100 },
};

export interface AggregatedApiOptions extends Omit<TokenExchangeDependencies, "logger"> {
  readonly certificate?: CertificatePolicy;
}

/** Adds the server of TokenCredentialRequests and WhoAmIRequests, and renews its certificate. */
export function addAggregatedApi(
  parts: ConciergeParts,
  { certificate = {}, ...exchange }: AggregatedApiOptions,
): AggregatedApiServer {
  const { provider, flags, cluster, group, now } = parts;
  const logger = parts.logger.withName("aggregated-api");
  const apiServer = createApiServer({
    groups: conciergeGroups({ group, ...exchange, logger }),
    cluster,
    limits: aggregatedApiLimits,
    ...createDelegation(provider.client, cluster, now),
    onError: (error, request) => logger.error(error, "Failed to serve request", { ...request }),
  });
  const certificates = servingCertificate(parts, certificate);
  const server = new AggregatedApiServer({
    apiServer,
    port: flags.securePort,
    certificates,
    logger,
  });
  provider.health.addReadyzCheck("aggregated-api", server.startedCheck);
  provider.manager.add(server);
  return server;
}

function servingCertificate(parts: ConciergeParts, policy: CertificatePolicy): CertificateSource {
  const { provider, client, namespace, logger } = parts;
  const { service } = parts.flags;
  const services = client.resource<ApiService>(apiServices);
  const names = [loginGroup, identityGroup].map((name) => `v1alpha1.${name}`);
  const dnsName = `${service}.${namespace}.svc`;
  return createIssuedCertificate({
    ...policy,
    commonName: service,
    dnsNames: [dnsName, `${dnsName}.cluster.local`],
    secrets: provider.client.resource(secrets),
    secret: { namespace, name: issuedSecretName(service) },
    publish: injectIntoAll(names.map((name) => injectIntoApiService(services, name))),
    logger,
  });
}
