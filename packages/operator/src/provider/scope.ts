import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { ComponentKey, ImageOverrides, VariableLookup } from "@rookery/components";
import type { Clock, KubeObject, PartialObjectMetadata } from "@rookery/kube";
import type {
  EventRecorder,
  LifecycleScope,
  ReadAndCommit,
  ReconcileContext,
} from "@rookery/runtime";
import type { ProviderCertificates } from "../certificates/provider-certificates.ts";
import { ComponentClient } from "../components/component-client.ts";
import type { Deployment } from "../components/deployment.ts";
import type { NamespaceWarnings } from "../instances/namespace-warnings.ts";
import type { OperatorMetrics } from "../metrics/operator-metrics.ts";
import type { ProviderParts } from "../parts.ts";
import { readManifests } from "../rendering/additional-manifests.ts";
import { createFindKinds, type FindKinds } from "../rendering/external-kinds.ts";
import { openSource, type ProviderSource } from "../rendering/fetch-source.ts";
import type { PrerenderedReleases } from "../rendering/prerendered.ts";
import { readVariables, type Variables } from "../rendering/variables.ts";
import type { ProviderViews } from "../state/provider-view.ts";
import { recordedRights, recordedScope } from "../state/recorded-scope.ts";
import { nextRelease, workingRelease } from "../state/state-secrets.ts";
import { StateStore } from "../state/state-store.ts";
import type { CorrectionBackOff } from "./correction-back-off.ts";
import type { Rendered } from "./phases/render-wanted.ts";
import { StateRecord } from "./state-record.ts";
import { observedDeployments, viewsFor } from "./views.ts";

/** What one reconcile needs before its provider is read. */
export interface ReconcileScope extends LifecycleScope<Provider> {
  readonly signal: AbortSignal;
  /** All providers of any kind but this one, and this one. */
  readonly viewsFor: (provider: Provider) => ProviderViews;
  readonly store: StateStore;
  readonly components: ComponentClient;
  readonly client: Client;
  readonly certificates: ProviderCertificates;
  /** Throws PhaseError. */
  readonly readVariables: (provider: Provider) => Promise<Variables>;
  /** What spec.additionalManifests names. Throws PhaseError. */
  readonly readManifests: (provider: Provider) => Promise<string | undefined>;
  readonly openSource: (provider: Provider, variables: VariableLookup) => ProviderSource;
  readonly findKinds: FindKinds;
  /** What is rendered for providers that wait. */
  readonly prerendered: PrerenderedReleases<Rendered>;
  readonly imageOverrides: ImageOverrides;
  /** The image of the `rookery` command. */
  readonly image: string | undefined;
  /** What is known of a component without asking; "unwatched" where nobody looks. */
  readonly observe: (key: ComponentKey) => PartialObjectMetadata | "unwatched" | undefined;
  /** Deployments of a provider that are known without asking. */
  readonly observedDeployments: (provider: Provider) => readonly Deployment[];
  readonly driftChecks: DriftChecks;
  readonly namespaceWarnings: Pick<NamespaceWarnings, "of" | "againSeconds">;
  readonly corrections: Pick<CorrectionBackOff, "secondsLeft" | "corrected">;
  readonly metrics: OperatorMetrics;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/** When a provider's components were last compared with what should be applied, certificates and all. */
export interface DriftChecks {
  /** Whether it is time again: nothing is known of this release, or the time has come. */
  isDue(provider: KubeObject, releaseId: string): boolean;
  /** How long until it is. */
  secondsLeft(provider: KubeObject): number | undefined;
  done(provider: KubeObject, releaseId: string, againAfterSeconds: number | undefined): void;
}

/** What one reconcile of a provider needs; made anew for each. */
export interface ProviderScope extends ReconcileScope {
  readonly provider: Provider;
  /** Looks around; most reconciles need not. */
  readonly views: () => ProviderViews;
  readonly record: StateRecord;
}

type Parts = ProviderParts & { readonly ownWrites: ReadAndCommit<Provider> };

export function reconcileScope(context: ReconcileContext<Provider>, parts: Parts): ReconcileScope {
  const { client, signal } = context;
  const { operatorMetrics, environment, downloader, ownWrites, componentWatch } = parts;
  const { certificates, prerendered, imageOverrides, image, driftChecks } = parts;
  const { namespaceWarnings, corrections, recorder, clock } = parts;
  return {
    get: ownWrites.get,
    commit: (original, desired, options) =>
      ownWrites.commit(original, desired, { signal, ...options }),
    signal,
    client,
    viewsFor: (provider) => viewsFor(provider, parts),
    store: new StateStore({ ...parts, client }),
    components: new ComponentClient(client),
    readVariables: (provider) => readVariables(provider, { client, environment }),
    readManifests: (provider) => readManifests(provider, client),
    openSource: (provider, variables) =>
      parts.fetchBackOff.around(provider, openSource(provider, variables, { client, downloader })),
    findKinds: createFindKinds(client),
    observe: (key) => componentWatch.observe(key),
    observedDeployments: (provider) => observedDeployments(provider, parts),
    metrics: operatorMetrics,
    certificates,
    prerendered,
    imageOverrides,
    image,
    driftChecks,
    namespaceWarnings,
    corrections,
    recorder,
    clock,
  };
}

export async function providerScope(
  provider: Provider,
  scope: ReconcileScope,
): Promise<ProviderScope> {
  const record = await StateRecord.load(scope.store, provider);
  const views = () => {
    const { self, others } = scope.viewsFor(provider);
    const [installed, next] = [workingRelease(record.state), nextRelease(record.state)];
    const { installed: _, next: __, watching: ___, rights: ____, ...known } = self;
    const watching = recordedScope(record.state);
    const rights = recordedRights(record.state);
    const isKnown = record.state.release !== undefined && { watching };
    const releases = { ...(installed && { installed }), ...(next && { next }) };
    return { self: { ...known, ...releases, ...isKnown, ...(rights && { rights }) }, others };
  };
  return { ...scope, provider, views, record };
}
