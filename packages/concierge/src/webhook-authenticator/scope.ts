import type { WebhookAuthenticator } from "@rookery/api";
import type { Trust } from "../authenticators/trust.ts";
import type { WebhookConnection } from "../outbound/json-exchange.ts";
import type { Dial } from "./phases/connect.ts";

export interface WebhookScope {
  readonly spec: WebhookAuthenticator["spec"];
  readonly dial: (trust: Trust) => Dial;
  readonly open: (url: URL, trust: Trust) => WebhookConnection;
}
