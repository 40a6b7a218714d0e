import { Checklist } from "../authenticators/checklist.ts";
import type { Examination } from "../authenticators/registry.ts";
import { readHttpsUrl, readTrust } from "../authenticators/trust.ts";
import { connect } from "./phases/connect.ts";
import type { WebhookScope } from "./scope.ts";
import { createWebhookClient } from "./tokens/webhook-client.ts";

/** Checks whether the webhook can be called, and creates its client. */
export async function checkWebhookAuthenticator(
  { spec, dial, open }: WebhookScope,
  signal: AbortSignal,
): Promise<Examination> {
  const list = new Checklist();
  const trust = await list.check("TLSConfigurationValid", () => readTrust(spec.tls));
  const url = await list.check("EndpointURLValid", () => ({
    value: readHttpsUrl(spec.endpoint, "spec.endpoint", "InvalidEndpointURL"),
    message: "spec.endpoint is a valid URL",
  }));
  const server = trust && url && { trust, url };
  const connected = await list.check(
    "WebhookConnectionValid",
    server && (() => connect(server.url, dial(server.trust), signal)),
  );
  const authenticator = await list.check(
    "AuthenticatorValid",
    connected &&
      server &&
      (() => ({
        value: createWebhookClient(server.url, open(server.url, server.trust)),
        message: "authenticator initialized",
      })),
  );
  return list.examination(authenticator);
}
