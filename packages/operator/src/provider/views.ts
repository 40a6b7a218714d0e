import type { Provider } from "@rookery/api";
import type { Component } from "@rookery/components";
import { hasConditionStatus, type ObjectMeta } from "@rookery/kube";
import { type Deployment, isScaledDown } from "../components/deployment.ts";
import { identityOf, labelOf } from "../identity/identity.ts";
import { providerImages } from "../instances/images.ts";
import { allProviders, type ProviderParts } from "../parts.ts";
import type { ProviderView, ProviderViews } from "../state/provider-view.ts";
import { rightsIn, stateKey, summaryOf } from "../state/state-secrets.ts";

type Parts = Pick<ProviderParts, "providers" | "secretMetadata" | "seal" | "componentWatch">;

/** All providers of any kind but this one, and this one, as caches have them. */
export function viewsFor(provider: Provider, parts: Parts): ProviderViews {
  const others = allProviders(parts).filter(
    ({ metadata }) => metadata.uid !== provider.metadata.uid,
  );
  return { self: viewOf(provider, parts), others: others.map((other) => viewOf(other, parts)) };
}

/** Deployments of a provider that are known without asking. */
export function observedDeployments(
  provider: Provider,
  { componentWatch }: Pick<ProviderParts, "componentWatch">,
): readonly Deployment[] {
  return componentWatch.deployments(provider.metadata.namespace ?? "", labelOf(provider));
}

function viewOf(provider: Provider, parts: Parts): ProviderView {
  const state = parts.secretMetadata.get(stateKey(provider));
  const deployments = observedDeployments(provider, parts);
  return {
    provider,
    identity: identityOf(provider),
    ...(state && summaryOf(state.metadata)),
    ...(state && recordedRights(state.metadata, parts)),
    isReady: hasConditionStatus(provider.status?.conditions, "Ready", "True"),
    isScaledDown: deployments.every(isScaledDown),
    images: providerImages(deployments as readonly Component[]),
  };
}

function recordedRights(
  metadata: ObjectMeta,
  { seal }: Pick<ProviderParts, "seal">,
): Pick<ProviderView, "rights"> {
  const rights = seal.hasValidSeal(metadata) ? rightsIn(metadata) : undefined;
  return rights ? { rights } : {};
}
