import type { WebhookAuthenticator } from "@rookery/api";
import type { Trust } from "../authenticators/trust.ts";
import type { WebhookConnection } from "../outbound/webhook-connection.ts";
import type { Dial } from "./phases/connect.ts";

/** The dependencies that all checks of WebhookAuthenticators share. */
export interface WebhookDependencies {
  readonly dial: (trust: Trust) => Dial;
  readonly open: (url: URL, trust: Trust) => WebhookConnection;
}

/** What one check of a WebhookAuthenticator needs. */
export interface WebhookScope extends WebhookDependencies {
  readonly spec: WebhookAuthenticator["spec"];
}
