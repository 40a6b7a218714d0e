import type { JWTAuthenticator, WebhookAuthenticator } from "@rookery/api";
import type { Resource } from "@rookery/kube";
import { type Provider, systemClock } from "@rookery/runtime";
import {
  type AggregatedApiServer,
  addAggregatedApi,
  type CertificatePolicy,
} from "./aggregated-api/add-aggregated-api.ts";
import { createAuthenticatorControllers } from "./authenticators/controllers.ts";
import type { AuthenticatorObject } from "./authenticators/policies.ts";
import {
  type AuthenticatorLookup,
  AuthenticatorRegistry,
  createAuthenticatorLookup,
  type Examination,
  examinedCheck,
} from "./authenticators/registry.ts";
import { SystemNames } from "./authenticators/system-names.ts";
import type { Trust } from "./authenticators/trust.ts";
import { type ConciergeMetrics, createConciergeMetrics } from "./concierge-metrics.ts";
import { type ConciergeParts, createParts } from "./concierge-parts.ts";
import { createCredentialIssuerController } from "./credential-issuer/controller.ts";
import type { ConciergeFlagValues } from "./flags.ts";
import { checkJwtAuthenticator } from "./jwt-authenticator/check.ts";
import { authenticationGroup, conciergeName } from "./names.ts";
import { dialTls } from "./outbound/dial.ts";
import { getJson, openWebhook } from "./outbound/json-exchange.ts";
import { jwtAuthenticators, webhookAuthenticators } from "./resources.ts";
import { chooseStrategy } from "./signing/choose-strategy.ts";
import { CredentialSource } from "./signing/credential-source.ts";
import { checkWebhookAuthenticator } from "./webhook-authenticator/check.ts";

/** Adds all parts of the concierge to a provider. Errors: OwnNamespaceError. */
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
  return addAggregatedApi(parts, { find, names, sign, onExchange: metrics.exchanged, certificate });
}

/** Adds the controllers of authenticators; returns the lookup of those that are ready. */
function addAuthenticators(
  parts: ConciergeParts,
  metrics: Pick<ConciergeMetrics, "authenticators">,
): AuthenticatorLookup {
  const { provider, flags, cache, now } = parts;
  const add = <T extends AuthenticatorObject>(
    resource: Resource,
    check: (object: T, signal: AbortSignal) => Promise<Examination>,
  ) => {
    const registry = new AuthenticatorRegistry();
    const kind = { resource, registry, check, concurrency: flags.authenticatorConcurrency };
    for (const controller of createAuthenticatorControllers(kind, parts)) {
      provider.manager.add(controller);
    }
    metrics.authenticators(resource.kind, registry);
    return { informer: cache.informerFor(resource), registry };
  };
  const kinds = {
    JWTAuthenticator: add(jwtAuthenticators, ({ spec }: JWTAuthenticator, signal) => {
      const fetcher = (trust: Trust) => (url: URL, end: AbortSignal) => getJson(url, trust, end);
      return checkJwtAuthenticator({ spec, getJson: fetcher, clock: systemClock, now }, signal);
    }),
    WebhookAuthenticator: add(webhookAuthenticators, ({ spec }: WebhookAuthenticator, signal) => {
      const dial = (trust: Trust) => (url: URL, end: AbortSignal) => dialTls(url, trust, end);
      return checkWebhookAuthenticator({ spec, dial, open: openWebhook }, signal);
    }),
  };
  provider.health.addReadyzCheck("authenticators", examinedCheck(Object.values(kinds)));
  return createAuthenticatorLookup({ group: parts.group(authenticationGroup), kinds });
}

/** Adds the source of credentials, and the controller that reports its strategies. */
function addSigning(parts: ConciergeParts, names: SystemNames): CredentialSource {
  const { provider, flags, namespace, cluster, now } = parts;
  const { strategy, others } = chooseStrategy(flags, {
    client: provider.client,
    name: conciergeName,
    namespace,
    now,
    readClientAuthorities: async (signal) => {
      await cluster.reload(signal);
      return cluster.current.clientCa;
    },
  });
  const source = new CredentialSource({ strategy, others, names, clock: systemClock });
  provider.manager.add(source);
  provider.manager.add(createCredentialIssuerController(parts, source));
  return source;
}
