import type { WebhookAuthenticator } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import {
  type AuthenticatorParts,
  createAuthenticatorControllers,
} from "../authenticators/controllers.ts";
import type { AuthenticatorRegistry } from "../authenticators/registry.ts";
import { webhookAuthenticators } from "../resources.ts";
import { checkWebhookAuthenticator } from "./check.ts";
import type { WebhookDependencies } from "./scope.ts";

export interface WebhookControllerOptions extends WebhookDependencies {
  readonly registry: AuthenticatorRegistry;
  readonly concurrency: number;
}

/** Examines WebhookAuthenticators and their servers. */
export function createWebhookAuthenticatorControllers(
  parts: AuthenticatorParts,
  { registry, concurrency, ...dependencies }: WebhookControllerOptions,
): readonly Controller[] {
  return createAuthenticatorControllers<WebhookAuthenticator>(
    {
      resource: webhookAuthenticators,
      registry,
      concurrency,
      check: ({ spec }, signal) => checkWebhookAuthenticator({ spec, ...dependencies }, signal),
    },
    parts,
  );
}
