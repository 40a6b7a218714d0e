import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { secrets } from "../resources.ts";
import { recordedView } from "../state/provider-view.ts";
import { type SecretObject, stateKey, stateOf } from "../state/state-secrets.ts";
import { findUsersInTheWay, type InUse } from "./users.ts";

/** The users that would keep a provider from being deleted while `staying` remain. */
export async function previewDeletion(
  client: Client,
  provider: Provider,
  staying: readonly Provider[],
): Promise<InUse | undefined> {
  const secret = await getOptional(client.resource<SecretObject>(secrets), stateKey(provider));
  const state = secret && stateOf(secret);
  if (state === undefined) return undefined;
  const self = await recordedView(client, provider);
  const others = await Promise.all(staying.map((one) => recordedView(client, one)));
  return findUsersInTheWay({ self, others }, state, client);
}
