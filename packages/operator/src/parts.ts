import type { Provider } from "@rookery/api";
import type { DownloaderOptions, ImageOverrides } from "@rookery/components";
import type { Clock, PartialObjectMetadata } from "@rookery/kube";
import {
  type ControllerParts,
  type EventRecorder,
  type Informer,
  systemClock,
} from "@rookery/runtime";
import { ProviderCertificates } from "./certificates/provider-certificates.ts";
import { ComponentWatch } from "./components/component-watch.ts";
import { NamespaceWarnings } from "./instances/namespace-warnings.ts";
import type { OperatorMetrics } from "./metrics/operator-metrics.ts";
import { CorrectionBackOff, DriftChecks } from "./provider/drift-checks.ts";
import type { Rendered } from "./provider/phases/render-wanted.ts";
import { FetchBackOff } from "./rendering/fetch-back-off.ts";
import { PrerenderedReleases } from "./rendering/prerendered.ts";
import { providerResources, secrets } from "./resources.ts";
import type { StateSeal } from "./state/state-seal.ts";
import { LatestReleases } from "./state/state-store.ts";

export interface ProviderSettings extends ControllerParts {
  readonly recorder: EventRecorder;
  readonly operatorMetrics: OperatorMetrics;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly imageOverrides: ImageOverrides;
  readonly downloader: DownloaderOptions;
  readonly image: string | undefined;
  readonly clock: Clock;
  readonly seal: StateSeal;
}

/** Shared by the controllers of all kinds of providers. */
export interface ProviderParts extends ProviderSettings {
  readonly providers: readonly Informer<Provider>[];
  readonly componentWatch: ComponentWatch;
  /** Without their content, which is read on demand and never cached. */
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly certificates: ProviderCertificates;
  readonly latestReleases: LatestReleases;
  readonly fetchBackOff: FetchBackOff;
  readonly prerendered: PrerenderedReleases<Rendered>;
  readonly driftChecks: DriftChecks;
  readonly namespaceWarnings: NamespaceWarnings;
  readonly corrections: CorrectionBackOff;
}

export function createProviderParts(settings: ProviderSettings): ProviderParts {
  const { client, cache, clock } = settings;
  return {
    ...settings,
    providers: providerResources.map((resource) => cache.informerFor<Provider>(resource)),
    componentWatch: new ComponentWatch(settings),
    secretMetadata: cache.metadataInformerFor(secrets),
    certificates: new ProviderCertificates({ client, now: clock }),
    latestReleases: new LatestReleases(),
    fetchBackOff: new FetchBackOff(systemClock),
    prerendered: new PrerenderedReleases(systemClock),
    driftChecks: new DriftChecks(systemClock),
    namespaceWarnings: new NamespaceWarnings(systemClock),
    corrections: new CorrectionBackOff(systemClock),
  };
}

/** The providers of all kinds, from caches. */
export function allProviders({ providers }: Pick<ProviderParts, "providers">): readonly Provider[] {
  return providers.flatMap((informer) => informer.list());
}
