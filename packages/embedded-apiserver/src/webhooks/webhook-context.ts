import type { Store } from "../store/store.ts";
import type { Decide } from "./condition-authorizer.ts";
import type { ConvertObjects } from "./equivalents.ts";
import type { EquivalentsOf } from "./select-webhook.ts";
import type { WebhookCall } from "./webhook-client.ts";

/** Who asks webhooks. Throws WebhookCallErrors and StatusErrors. */
export interface WebhookPoster {
  post(call: WebhookCall): Promise<unknown>;
}

/** What webhooks need to be found and asked. */
export interface WebhookContext {
  readonly store: Store;
  readonly clients: WebhookPoster;
  /** By which a webhook for one version of a kind is asked about another one. */
  readonly equivalentsOf: EquivalentsOf;
  readonly convert: ConvertObjects;
  /** Whom conditions ask what a user may do. */
  readonly decide: Decide;
}
