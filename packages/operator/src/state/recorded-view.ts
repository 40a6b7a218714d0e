import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { hasConditionStatus, isForbidden, isNotFound } from "@rookery/kube";
import { metadataOf } from "../components/metadata-of.ts";
import { identityOf } from "../identity/identity.ts";
import { secrets } from "../resources.ts";
import type { ProviderView } from "./provider-view.ts";
import { stateKey, summaryOf } from "./state-secrets.ts";

type Summary = Partial<ReturnType<typeof summaryOf>> | undefined;

/** The view of a provider without a cache: from its record, or from its status if Secrets are forbidden. */
export async function recordedView(client: Client, provider: Provider): Promise<ProviderView> {
  return {
    provider,
    identity: identityOf(provider),
    ...(await recordedSummary(client, provider)),
    isReady: hasConditionStatus(provider.status?.conditions, "Ready", "True"),
    isScaledDown: false,
  };
}

async function recordedSummary(client: Client, provider: Provider): Promise<Summary> {
  try {
    const { metadata } = await metadataOf(client, secrets).get(stateKey(provider));
    return summaryOf(metadata);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (!isForbidden(error)) throw error;
  }
  const { installedVersion: version, contract = "" } = provider.status ?? {};
  return version === undefined ? undefined : { installed: { version, contract } };
}
