import type { WebhookAuthenticator } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import {
  type ControllerParts,
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

/** Keeps an eye on WebhookAuthenticators and their servers. */
export function createWebhookAuthenticatorControllers(
  parts: ControllerParts,
  { registry, concurrency, ...dependencies }: WebhookControllerOptions,
): readonly Controller[] {
  return createAuthenticatorControllers<WebhookAuthenticator>(
    {
      name: "webhookauthenticator",
      resource: webhookAuthenticators,
      registry,
      concurrency,
      check: ({ spec }, signal) => checkWebhookAuthenticator({ spec, ...dependencies }, signal),
    },
    parts,
  );
}
