import type { WebhookAuthenticator } from "@rookery/api";
import type { Trust } from "../authenticators/trust.ts";
import type { WebhookConnection } from "../outbound/webhook-connection.ts";
import type { Dial } from "./phases/connect.ts";

/** What a WebhookAuthenticator is checked with. */
export interface WebhookDependencies {
  readonly dial: (trust: Trust) => Dial;
  readonly open: (url: URL, trust: Trust) => WebhookConnection;
}

/** What one check needs, made anew for each. */
export interface WebhookScope extends WebhookDependencies {
  readonly spec: WebhookAuthenticator["spec"];
}
