import { createApiServer } from "@rookery/apiserver";
import { getOptional } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  type CaBundleInjector,
  type CertificateSource,
  CertifiedListener,
  createIssuedCertificate,
  type IssuedCertificateOptions,
  injectIntoAll,
  issuedSecretName,
  listenOn,
  type PatchingClient,
  type Runnable,
} from "@rookery/runtime";
import type { ConciergeParts } from "../concierge-parts.ts";
import { identityGroup, loginGroup } from "../names.ts";
import { apiServices, secrets } from "../resources.ts";
import { createDelegation } from "./delegation.ts";
import { conciergeGroups } from "./served-groups.ts";
import type { TokenExchangeDependencies } from "./token-credential-request.ts";

export interface AggregatedApiServer extends Runnable {
  /** "" until the server listens. */
  readonly url: string;
  waitForReady(): Promise<void>;
}

export type CertificatePolicy = Partial<
  Pick<
    IssuedCertificateOptions,
    "authorityLifetimeSeconds" | "leafLifetimeSeconds" | "settleSeconds" | "resyncMs" | "now"
  >
>;

/** Anonymous clients may send requests, but small ones, and they do not delay other clients. */
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
  const listener = new CertifiedListener({
    certificates: servingCertificate(parts, certificate),
    listen: async (tls) => {
      if (!tls) throw new TypeError("could not serve the aggregated API: it has no certificate");
      const port = flags.securePort;
      return listenOn("", (host) => apiServer.serve({ host, port, tls }));
    },
    onListening: (url) => logger.info("Serving the aggregated API", { url }),
  });
  const server: AggregatedApiServer = {
    name: "aggregated API",
    // After the caches: before they are filled, no authenticator is known.
    group: "others",
    get url() {
      return listener.url;
    },
    start: (signal) => listener.run(signal),
    waitForReady: () => listener.waitForReady(),
  };
  provider.health.addReadyzCheck("aggregated-api", () => {
    if (server.url === "") throw new Error("the aggregated API does not listen yet");
  });
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

export type ApiService = KubeObject<{ readonly caBundle?: string }>;

/** Writes the CA bundle into an APIService, so that the API server trusts the aggregated API. */
export function injectIntoApiService(
  client: PatchingClient<ApiService>,
  name: string,
): CaBundleInjector {
  return async (pem, signal) => {
    const service = await getOptional(client, { name }, { signal });
    const caBundle = Buffer.from(pem).toString("base64");
    if (!service || service.spec?.caBundle === caBundle) return;
    await client.patch({ name }, { type: "merge", patch: { spec: { caBundle } } }, { signal });
  };
}
