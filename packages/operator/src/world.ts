import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type {
  Component,
  DownloaderOptions,
  ImageOverrides,
  ProviderKind,
} from "@rookery/components";
import {
  type Clock,
  hasConditionStatus,
  type ObjectMeta,
  type PartialObjectMetadata,
} from "@rookery/kube";
import {
  type Cache,
  createResourceCommitter,
  type EventRecorder,
  type Informer,
  type Logger,
  systemClock,
  withOwnWrites,
} from "@rookery/runtime";
import { createProviderCertificates } from "./certificates/provider-certificates.ts";
import { ComponentClient } from "./components/component-client.ts";
import { ComponentWatch } from "./components/component-watch.ts";
import { DivisionWarnings } from "./instances/division-warnings.ts";
import { providerImages } from "./instances/images.ts";
import type { OperatorMetrics } from "./metrics/operator-metrics.ts";
import { createCheckups } from "./provider/checkups.ts";
import { CorrectionBackOff } from "./provider/correction-back-off.ts";
import { isScaledDown } from "./provider/health/deployment.ts";
import { identityOf, labelOf } from "./provider/identity.ts";
import type { ProviderView } from "./provider/provider-view.ts";
import type { ProviderDependencies, ProviderViews } from "./provider/scope.ts";
import { readManifests } from "./rendering/additional-manifests.ts";
import { Drafts } from "./rendering/drafts.ts";
import { createFindKinds } from "./rendering/external-kinds.ts";
import { FetchBackOff } from "./rendering/fetch-back-off.ts";
import { openSource } from "./rendering/fetch-source.ts";
import { readVariables } from "./rendering/variables.ts";
import { providerResource, providerResources, secrets } from "./resources.ts";
import type { StateSeal } from "./state/state-seal.ts";
import { rightsIn, stateKey, summaryOf } from "./state/state-secrets.ts";
import { StateStore } from "./state/state-store.ts";

export interface WorldOptions {
  readonly client: Client;
  readonly cache: Cache;
  readonly recorder: EventRecorder;
  readonly logger: Logger;
  readonly metrics: OperatorMetrics;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly imageOverrides: ImageOverrides;
  readonly downloader: DownloaderOptions;
  readonly image: string | undefined;
  readonly clock: Clock;
  readonly seal: StateSeal;
}

/** The Kubernetes that the controllers live in: what they read, watch and write. */
export class World {
  readonly components: ComponentWatch;
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly checkups = createCheckups(systemClock);
  readonly #options: WorldOptions;
  readonly #providers: readonly Informer<Provider>[];
  readonly #backOff = new FetchBackOff(systemClock);
  readonly #shared: Omit<ProviderDependencies, "getProvider" | "commit">;

  constructor(options: WorldOptions) {
    const { client, cache, environment, recorder, imageOverrides, downloader, clock } = options;
    const { metrics } = options;
    this.#options = options;
    this.components = new ComponentWatch(options);
    // Their content is read when it is needed, and never kept.
    this.secretMetadata = cache.metadataInformerFor(secrets);
    this.#providers = providerResources.map((resource) => cache.informerFor<Provider>(resource));
    this.#shared = {
      viewsFor: (provider) => this.#viewsFor(provider),
      store: new StateStore(client, options.seal),
      components: new ComponentClient(client),
      client,
      certificates: createProviderCertificates({ client, now: clock }),
      readVariables: (provider, signal) => readVariables(provider, { client, environment }, signal),
      readManifests: (provider, signal) => readManifests(provider, client, signal),
      openSource: (provider, variables) =>
        this.#backOff.around(provider, openSource(provider, variables, { client, downloader })),
      findKinds: createFindKinds(client),
      drafts: new Drafts(systemClock),
      imageOverrides,
      image: options.image,
      observe: (key) => this.components.observe(key),
      observedDeployments: (provider) => this.#deploymentsOf(provider),
      checkups: this.checkups,
      divisionWarnings: new DivisionWarnings(systemClock),
      corrections: new CorrectionBackOff(systemClock),
      metrics,
      recorder,
      clock,
    };
  }

  /** What the controller of a kind needs. */
  forKind(kind: ProviderKind): ProviderDependencies {
    const { client, cache } = this.#options;
    const resource = providerResource(kind);
    const { get, commit } = withOwnWrites<Provider>({
      get: (key) => cache.get(resource, key),
      commit: createResourceCommitter(client.resource(resource)),
    });
    return { ...this.#shared, getProvider: get, commit };
  }

  /** All providers of all kinds. */
  providers(): readonly Provider[] {
    return this.#providers.flatMap((informer) => informer.list());
  }

  informers(): readonly Informer<Provider>[] {
    return this.#providers;
  }

  #viewsFor(provider: Provider): ProviderViews {
    const others = this.providers().filter(
      ({ metadata }) => metadata.uid !== provider.metadata.uid,
    );
    return { self: this.#viewOf(provider), others: others.map((other) => this.#viewOf(other)) };
  }

  #viewOf(provider: Provider): ProviderView {
    const state = this.secretMetadata.get(stateKey(provider));
    const deployments = this.#deploymentsOf(provider);
    return {
      provider,
      identity: identityOf(provider),
      ...(state && summaryOf(state.metadata)),
      ...(state && this.#rightsIn(state.metadata)),
      isReady: hasConditionStatus(provider.status?.conditions, "Ready", "True"),
      isScaledDown: deployments.every(isScaledDown),
      images: providerImages(deployments as readonly Component[]),
    };
  }

  #rightsIn(metadata: ObjectMeta): Pick<ProviderView, "rights"> {
    const rights = this.#options.seal.vouchesFor(metadata) ? rightsIn(metadata) : undefined;
    return rights ? { rights } : {};
  }

  #deploymentsOf(provider: Provider) {
    return this.components.deployments(provider.metadata.namespace ?? "", labelOf(provider));
  }
}
