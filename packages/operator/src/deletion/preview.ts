import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { hasConditionStatus, isNotFound } from "@rookery/kube";
import { metadataOf } from "../components/metadata-of.ts";
import { identityOf } from "../provider/identity.ts";
import type { ProviderView } from "../provider/provider-view.ts";
import { secrets } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import { type SecretObject, stateKey, stateOf, summaryOf } from "../state/state-secrets.ts";
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
  const self = await viewOf(client, provider);
  const others = await Promise.all(staying.map((one) => viewOf(client, one)));
  return findUsersInTheWay({ self, others }, state, client);
}

/** Undefined where nothing was ever put into the cluster for a provider. */
async function recordedState(
  client: Client,
  provider: Provider,
): Promise<InstallState | undefined> {
  const secret = await client
    .resource<SecretObject>(secrets)
    .get(stateKey(provider))
    .catch(unlessMissing);
  return secret && stateOf(secret);
}

/** What the record of a provider says of it. */
async function viewOf(client: Client, provider: Provider): Promise<ProviderView> {
  const record = await metadataOf(client, secrets).get(stateKey(provider)).catch(unlessMissing);
  return {
    provider,
    identity: identityOf(provider),
    ...(record && summaryOf(record.metadata)),
    isReady: hasConditionStatus(provider.status?.conditions, "Ready", "True"),
    isScaledDown: false,
  };
}

function unlessMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
