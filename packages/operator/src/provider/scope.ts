import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { ComponentKey, ImageOverrides, VariableLookup } from "@rookery/components";
import type { Clock, KubeObject, ObjectKey, PartialObjectMetadata } from "@rookery/kube";
import type { Commit, EventRecorder } from "@rookery/runtime";
import type { ProviderCertificates } from "../certificates/provider-certificates.ts";
import type { ComponentClient } from "../components/component-client.ts";
import type { DivisionWarnings } from "../instances/division-warnings.ts";
import { recordedScope } from "../instances/recorded-scope.ts";
import { recordedRights } from "../instances/rights.ts";
import type { OperatorMetrics } from "../metrics/operator-metrics.ts";
import type { Drafts } from "../rendering/drafts.ts";
import type { FindKinds } from "../rendering/external-kinds.ts";
import type { ProviderSource } from "../rendering/fetch-source.ts";
import type { Variables } from "../rendering/variables.ts";
import { nextRelease, workingRelease } from "../state/state-secrets.ts";
import type { StateStore } from "../state/state-store.ts";
import type { CorrectionBackOff } from "./correction-back-off.ts";
import type { Deployment } from "./health/deployment.ts";
import type { Rendered } from "./phases/render-wanted.ts";
import type { ProviderView } from "./provider-view.ts";
import { StateRecord } from "./state-record.ts";

/** What reconciles of providers need of the world. */
export interface ProviderDependencies {
  readonly getProvider: (key: ObjectKey) => Promise<Provider | undefined>;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: Commit<Provider>;
  /** All providers of any kind but this one, and this one. */
  readonly viewsFor: (provider: Provider) => ProviderViews;
  readonly store: StateStore;
  readonly components: ComponentClient;
  readonly client: Client;
  readonly certificates: ProviderCertificates;
  /** Throws PhaseError. */
  readonly readVariables: (provider: Provider, signal: AbortSignal) => Promise<Variables>;
  /** What spec.additionalManifests names. Throws PhaseError. */
  readonly readManifests: (provider: Provider, signal: AbortSignal) => Promise<string | undefined>;
  readonly openSource: (provider: Provider, variables: VariableLookup) => ProviderSource;
  readonly findKinds: FindKinds;
  /** What is rendered for providers that wait. */
  readonly drafts: Drafts<Rendered>;
  readonly imageOverrides: ImageOverrides;
  /** The image of the `rookery` command. */
  readonly image: string | undefined;
  /** What is known of a component without asking; "unwatched" where nobody looks. */
  readonly observe: (key: ComponentKey) => PartialObjectMetadata | "unwatched" | undefined;
  /** Deployments of a provider that are known without asking. */
  readonly observedDeployments: (provider: Provider) => readonly Deployment[];
  readonly checkups: Checkups;
  readonly divisionWarnings: Pick<DivisionWarnings, "of" | "againSeconds">;
  readonly corrections: Pick<CorrectionBackOff, "secondsLeft" | "corrected">;
  readonly metrics: OperatorMetrics;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/** When a provider's components were last compared with what should be applied, certificates and all. */
export interface Checkups {
  /** Whether it is time again: nothing is known of this release, or the time has come. */
  isDue(provider: KubeObject, releaseId: string): boolean;
  /** How long until it is. */
  secondsLeft(provider: KubeObject): number | undefined;
  done(provider: KubeObject, releaseId: string, againAfterSeconds: number | undefined): void;
}

export interface ProviderViews {
  readonly self: ProviderView;
  readonly others: readonly ProviderView[];
}

/** What one reconcile of a provider needs; made anew for each. */
export interface ProviderScope extends ProviderDependencies {
  readonly provider: Provider;
  /** Looks around; most reconciles need not. */
  readonly views: () => ProviderViews;
  readonly record: StateRecord;
  readonly signal: AbortSignal;
}

export async function createScope(
  provider: Provider,
  dependencies: ProviderDependencies,
  signal: AbortSignal,
): Promise<ProviderScope> {
  const record = await StateRecord.load(dependencies.store, provider, signal);
  const views = () => {
    const { self, others } = dependencies.viewsFor(provider);
    const [installed, next] = [workingRelease(record.state), nextRelease(record.state)];
    const { installed: _, next: __, watching: ___, rights: ____, ...known } = self;
    const watching = recordedScope(record.state);
    const rights = recordedRights(record.state);
    const isKnown = record.state.release !== undefined && { watching };
    const releases = { ...(installed && { installed }), ...(next && { next }) };
    return { self: { ...known, ...releases, ...isKnown, ...(rights && { rights }) }, others };
  };
  return { ...dependencies, provider, views, record, signal };
}
