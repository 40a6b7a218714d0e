import { systemClock } from "@rookery/runtime";
import {
  type AuthenticatorLookup,
  createAuthenticatorLookup,
} from "./aggregated-api/authenticator-lookup.ts";
import { examinedCheck } from "./authenticators/examined-check.ts";
import { AuthenticatorRegistry } from "./authenticators/registry.ts";
import type { ConciergeMetrics } from "./concierge-metrics.ts";
import type { ConciergeParts } from "./concierge-parts.ts";
import { authenticationGroup } from "./groups.ts";
import { createJwtAuthenticatorControllers } from "./jwt-authenticator/controller.ts";
import { dialTls } from "./outbound/dial.ts";
import { getJson } from "./outbound/json-exchange.ts";
import { openWebhook } from "./outbound/webhook-connection.ts";
import { jwtAuthenticators, webhookAuthenticators } from "./resources.ts";
import { createWebhookAuthenticatorControllers } from "./webhook-authenticator/controller.ts";

/** Adds the controllers of authenticators; returns the lookup of those that are ready. */
export function addAuthenticators(
  parts: ConciergeParts,
  metrics: Pick<ConciergeMetrics, "authenticators">,
): AuthenticatorLookup {
  const { provider, flags, cache, now } = parts;
  const concurrency = flags.authenticatorConcurrency;
  const kinds = {
    JWTAuthenticator: {
      informer: cache.informerFor(jwtAuthenticators),
      registry: new AuthenticatorRegistry(),
    },
    WebhookAuthenticator: {
      informer: cache.informerFor(webhookAuthenticators),
      registry: new AuthenticatorRegistry(),
    },
  };
  const controllers = [
    ...createJwtAuthenticatorControllers(parts, {
      registry: kinds.JWTAuthenticator.registry,
      concurrency,
      getJson: (trust) => (url, signal) => getJson(url, trust, signal),
      clock: systemClock,
      now,
    }),
    ...createWebhookAuthenticatorControllers(parts, {
      registry: kinds.WebhookAuthenticator.registry,
      concurrency,
      dial: (trust) => (url, signal) => dialTls(url, trust, signal),
      open: openWebhook,
    }),
  ];
  for (const controller of controllers) provider.manager.add(controller);
  for (const [kind, { registry }] of Object.entries(kinds)) metrics.authenticators(kind, registry);
  provider.health.addReadyzCheck("authenticators", examinedCheck(Object.values(kinds)));
  return createAuthenticatorLookup({ group: parts.group(authenticationGroup), kinds });
}
