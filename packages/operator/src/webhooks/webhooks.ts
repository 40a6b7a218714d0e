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

export function providerWebhooks(): readonly Webhook[] {
  return providerResources.map((resource) =>
    validatingWebhook<ProviderObject>(resource, providerValidator),
  );
}

/** Serves the webhooks of all provider kinds, if the flags enable webhooks. */
export function addProviderWebhooks(
  { client, addWebhooks }: Pick<Provider, "client" | "addWebhooks">,
  name: string,
): void {
  const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
  const server = addWebhooks({ service: name, publish: injectIntoWebhooks(configurations, name) });
  for (const webhook of providerWebhooks()) server?.register(webhook);
}
