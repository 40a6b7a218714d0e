import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { secrets } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import { recordedView } from "../state/recorded-view.ts";
import { type SecretObject, stateKey, stateOf } from "../state/state-secrets.ts";
import { findUsersInTheWay, type InUse } from "./in-use.ts";

/**
 * Who would keep a provider from being deleted, where all of `staying` stays: what the operator would
 * say, by its own rules and from its own record, before it is asked. Nothing is changed. Rejects with a
 * PhaseError where it can't be found out, and as the client does where Secrets may not be read.
 */
export async function previewDeletion(
  client: Client,
  provider: Provider,
  staying: readonly Provider[],
): Promise<InUse | undefined> {
  const state = await recordedState(client, provider);
  if (state === undefined) return undefined;
  const self = await recordedView(client, provider);
  const others = await Promise.all(staying.map((one) => recordedView(client, one)));
  return findUsersInTheWay({ self, others }, state, client);
}

/** Undefined where nothing was ever put into the cluster for a provider. */
async function recordedState(
  client: Client,
  provider: Provider,
): Promise<InstallState | undefined> {
  const state = await getOptional(client.resource<SecretObject>(secrets), stateKey(provider));
  return state && stateOf(state);
}
