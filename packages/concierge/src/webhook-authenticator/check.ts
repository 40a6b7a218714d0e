import { Checklist } from "../authenticators/checklist.ts";
import type { Examination } from "../authenticators/registry.ts";
import { readTrust } from "../authenticators/trust.ts";
import { checkEndpoint } from "./phases/check-endpoint.ts";
import { connect } from "./phases/connect.ts";
import type { WebhookScope } from "./scope.ts";
import { createWebhookClient } from "./tokens/webhook-client.ts";

/** Finds out whether the webhook can be asked, and with what. */
export async function checkWebhookAuthenticator(
  scope: WebhookScope,
  signal: AbortSignal,
): Promise<Examination> {
  const { spec } = scope;
  const list = new Checklist();
  const trust = await list.check("TLSConfigurationValid", () => readTrust(spec.tls));
  const url = await list.check("EndpointURLValid", () => checkEndpoint(spec.endpoint));
  const connected = await list.check(
    "WebhookConnectionValid",
    trust && url && (() => connect(url, scope.dial(trust), signal)),
  );
  const authenticator = await list.check(
    "AuthenticatorValid",
    connected &&
      trust &&
      url &&
      (() => ({
        value: createWebhookClient(url, scope.open(url, trust)),
        message: "authenticator initialized",
      })),
  );
  return list.examination(authenticator);
}
