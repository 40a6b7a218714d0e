import { createHttpClient } from "@rookery/http";
import type { WebhookConnection } from "../webhook-authenticator/tokens/webhook-client.ts";
import { exchangeJson, jsonLimits } from "./json-exchange.ts";

/** A connection that is kept, so that each token does not need a handshake of its own. */
export function openWebhook(url: URL, trust: { readonly ca?: string }): WebhookConnection {
  const client = createHttpClient({ origin: url.origin, tls: trust, limits: jsonLimits });
  return {
    post: (body, signal) => exchangeJson(client, { method: "POST", url, body, signal }),
    // Tokens that are on their way still get their answer.
    [Symbol.dispose]: () => void client.close(),
  };
}
