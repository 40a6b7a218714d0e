import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { ProviderIdentity } from "@rookery/components";
import { hasConditionStatus, isForbidden, isNotFound } from "@rookery/kube";
import { metadataOf } from "../components/component-client.ts";
import { identityOf } from "../identity/identity.ts";
import type { NamespaceSet } from "../identity/namespace-set.ts";
import { secrets } from "../resources.ts";
import type { Rights } from "./install-state.ts";
import { stateKey, summaryOf } from "./state-secrets.ts";

export interface ProviderView {
  readonly provider: Provider;
  readonly identity: ProviderIdentity;
  /** The last verified release, by its record. */
  readonly installed?: { readonly version: string; readonly contract: string };
  /** The release that is being installed, by its record. */
  readonly next?: { readonly version: string; readonly contract: string };
  readonly isReady: boolean;
  /** Whether all its Deployments have 0 pods. */
  readonly isScaledDown: boolean;
  /** The namespaces that it may watch, by its record. */
  readonly watching?: NamespaceSet;
  /** The namespaces that its webhooks surely admit. */
  readonly admits?: NamespaceSet;
  /** Whether it surely has the shared objects of all instances. */
  readonly isFirst?: boolean;
  /** The rights of its account, by a record with a valid seal. */
  readonly rights?: Rights;
  readonly images?: readonly string[];
}

/** One provider, and all others of any kind. */
export interface ProviderViews {
  readonly self: ProviderView;
  readonly others: readonly ProviderView[];
}

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
