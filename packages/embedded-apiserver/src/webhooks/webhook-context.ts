import type { Store } from "../store/store.ts";
import type { ConvertObjects } from "./equivalents.ts";
import type { Decide } from "./match-conditions.ts";
import type { EquivalentsOf } from "./select-webhook.ts";
import type { WebhookCall } from "./webhook-client.ts";

/** Sends requests to webhooks. Throws WebhookCallErrors and StatusErrors. */
export interface WebhookPoster {
  post(call: WebhookCall): Promise<unknown>;
}

/** The dependencies of webhook admission. */
export interface WebhookContext {
  readonly store: Store;
  readonly clients: WebhookPoster;
  /** Finds other versions of a resource for the match policy Equivalent. */
  readonly equivalentsOf: EquivalentsOf;
  readonly convert: ConvertObjects;
  /** Authorizes for conditions. */
  readonly decide: Decide;
}
