import type { Provider as ProviderObject } from "@rookery/api";
import {
  injectIntoWebhooks,
  type Provider,
  validatingWebhook,
  type Webhook,
  type WebhookConfiguration,
} from "@rookery/runtime";
import { providerResources, validatingWebhookConfigurations } from "../resources.ts";
import { providerValidator } from "./provider-validator.ts";

/** One for each kind of provider; they are all judged alike. */
export function providerWebhooks(): readonly Webhook[] {
  return providerResources.map((resource) =>
    validatingWebhook<ProviderObject>(resource, providerValidator),
  );
}

/**
 * Serves the webhooks of all provider kinds, where the flags ask for webhooks. The Service and the
 * ValidatingWebhookConfiguration have the same name; the authorities are put into the latter.
 */
export function addProviderWebhooks(
  { client, addWebhooks }: Pick<Provider, "client" | "addWebhooks">,
  name: string,
): void {
  const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
  const server = addWebhooks({ service: name, publish: injectIntoWebhooks(configurations, name) });
  for (const webhook of providerWebhooks()) server?.register(webhook);
}
