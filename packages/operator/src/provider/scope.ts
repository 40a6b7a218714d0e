import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { Component, ComponentKey, VariableLookup } from "@rookery/components";
import { deepEqual, hasConditionStatus, type PartialObjectMetadata } from "@rookery/kube";
import type { LifecycleScope, ReadAndCommit, ReconcileContext } from "@rookery/runtime";
import { ComponentClient } from "../components/component-client.ts";
import { type Deployment, isScaledDown } from "../components/deployment.ts";
import { identityOf, labelOf } from "../identity/identity.ts";
import { providerImages } from "../instances/images.ts";
import { allProviders, type ProviderParts } from "../parts.ts";
import { readManifests } from "../rendering/additional-manifests.ts";
import { createFindKinds, type FindKinds } from "../rendering/external-kinds.ts";
import { openSource, type ProviderSource } from "../rendering/fetch-source.ts";
import { readVariables, type Variables } from "../rendering/variables.ts";
import type { InstallState } from "../state/install-state.ts";
import { recordedRights, recordedScope } from "../state/install-state.ts";
import type { ProviderView, ProviderViews } from "../state/provider-view.ts";
import {
  nextRelease,
  rightsIn,
  stateKey,
  summaryOf,
  workingRelease,
} from "../state/state-secrets.ts";
import { type Recorded, StateStore } from "../state/state-store.ts";

type SharedParts = Pick<
  ProviderParts,
  | "certificates"
  | "prerendered"
  | "imageOverrides"
  | "image"
  | "driftChecks"
  | "corrections"
  | "namespaceWarnings"
  | "operatorMetrics"
  | "recorder"
  | "clock"
>;

/** Dependencies of a reconcile. All requests of `client` end with `signal`. */
export interface ReconcileScope extends LifecycleScope<Provider>, SharedParts {
  readonly signal: AbortSignal;
  readonly client: Client;
  readonly components: ComponentClient;
  readonly store: StateStore;
  /** The provider and all others of any kind, from caches. */
  readonly viewsFor: (provider: Provider) => ProviderViews;
  /** Throws PhaseError. */
  readonly readVariables: (provider: Provider) => Promise<Variables>;
  /** The content of spec.additionalManifests. Throws PhaseError. */
  readonly readManifests: (provider: Provider) => Promise<string | undefined>;
  readonly openSource: (provider: Provider, variables: VariableLookup) => ProviderSource;
  readonly findKinds: FindKinds;
  /** A component from the cache; "unwatched" if its kind has no informer. */
  readonly observe: (key: ComponentKey) => PartialObjectMetadata | "unwatched" | undefined;
  readonly observedDeployments: (provider: Provider) => readonly Deployment[];
}

export interface ProviderScope extends ReconcileScope {
  readonly provider: Provider;
  /** Computed on each call, because most reconciles do not need them. */
  readonly views: () => ProviderViews;
  readonly record: StateRecord;
}

type Parts = ProviderParts & { readonly ownWrites: ReadAndCommit<Provider> };

export function reconcileScope(context: ReconcileContext<Provider>, parts: Parts): ReconcileScope {
  const { client, signal } = context;
  const { environment, downloader, ownWrites, componentWatch, fetchBackOff } = parts;
  return {
    ...parts,
    get: ownWrites.get,
    commit: (original, desired, options) =>
      ownWrites.commit(original, desired, { signal, ...options }),
    signal,
    client,
    components: new ComponentClient(client),
    store: new StateStore({ ...parts, client }),
    viewsFor: (provider) => viewsFor(provider, parts),
    readVariables: (provider) => readVariables(provider, { client, environment }),
    readManifests: (provider) => readManifests(provider, client),
    openSource: (provider, variables) =>
      fetchBackOff.around(provider, openSource(provider, variables, { client, downloader })),
    findKinds: createFindKinds(client),
    observe: (key) => componentWatch.observe(key),
    observedDeployments: (provider) => observedDeployments(provider, parts),
  };
}

export async function providerScope(
  provider: Provider,
  scope: ReconcileScope,
): Promise<ProviderScope> {
  const record = new StateRecord(scope.store, provider, await scope.store.load(provider));
  const views = () => {
    const { self, others } = scope.viewsFor(provider);
    return { self: withRecord(self, record.state), others };
  };
  return { ...scope, provider, views, record };
}

const emptyState: InstallState = { owned: [], phase: "Stable" };

/** The state of one provider within one reconcile: read once, and written when it changes. */
class StateRecord {
  readonly #store: StateStore;
  readonly #provider: Provider;
  #recorded: Recorded | undefined;

  constructor(store: StateStore, provider: Provider, recorded: Recorded | undefined) {
    this.#store = store;
    this.#provider = provider;
    this.#recorded = recorded;
  }

  get state(): InstallState {
    return this.#recorded?.state ?? emptyState;
  }

  /** Sends no request for an equal state. */
  async save(state: InstallState): Promise<void> {
    if (deepEqual(this.state, state)) return;
    this.#recorded = await this.#store.save(this.#provider, state, this.#recorded);
  }
}

type ViewParts = Pick<ProviderParts, "providers" | "secretMetadata" | "seal" | "componentWatch">;

function viewsFor(provider: Provider, parts: ViewParts): ProviderViews {
  const { uid } = provider.metadata;
  const others = allProviders(parts).filter(({ metadata }) => metadata.uid !== uid);
  return { self: viewOf(provider, parts), others: others.map((other) => viewOf(other, parts)) };
}

function viewOf(provider: Provider, parts: ViewParts): ProviderView {
  const state = parts.secretMetadata.get(stateKey(provider));
  const rights = state && parts.seal.hasValidSeal(state.metadata) && rightsIn(state.metadata);
  const deployments = observedDeployments(provider, parts);
  return {
    provider,
    identity: identityOf(provider),
    ...(state && summaryOf(state.metadata)),
    ...(rights && { rights }),
    isReady: hasConditionStatus(provider.status?.conditions, "Ready", "True"),
    isScaledDown: deployments.every(isScaledDown),
    images: providerImages(deployments as readonly Component[]),
  };
}

/** A view with the state that was read from the server in place of the cached one. */
function withRecord(self: ProviderView, state: InstallState): ProviderView {
  const { installed: _, next: __, watching: ___, rights: ____, ...rest } = self;
  const [installed, next, rights] = [
    workingRelease(state),
    nextRelease(state),
    recordedRights(state),
  ];
  return {
    ...rest,
    ...(installed && { installed }),
    ...(next && { next }),
    ...(state.release && { watching: recordedScope(state) }),
    ...(rights && { rights }),
  };
}

function observedDeployments(
  provider: Provider,
  { componentWatch }: Pick<ProviderParts, "componentWatch">,
): readonly Deployment[] {
  return componentWatch.deployments(provider.metadata.namespace ?? "", labelOf(provider));
}
