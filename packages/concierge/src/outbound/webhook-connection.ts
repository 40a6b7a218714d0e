import { createHttpClient } from "@rookery/http";
import { exchangeJson, type JsonAnswer, jsonLimits } from "./json-exchange.ts";

/** Sends an object to a webhook and reads its answer. Errors: OutboundError. */
export interface WebhookConnection extends Disposable {
  post(body: unknown, signal: AbortSignal): Promise<JsonAnswer>;
}

/** A connection that is kept, so that each token does not need a handshake of its own. */
export function openWebhook(url: URL, trust: { readonly ca?: string }): WebhookConnection {
  const client = createHttpClient({ origin: url.origin, tls: trust, limits: jsonLimits });
  return {
    post: (body, signal) => exchangeJson(client, { method: "POST", url, body, signal }),
    // Tokens that are on their way still get their answer.
    [Symbol.dispose]: () => void client.close(),
  };
}
