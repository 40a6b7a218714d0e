import type { Provider } from "@rookery/api";
import {
  getCondition,
  hasConditionStatus,
  labelSelectorAsSelector,
  type ObjectMeta,
  type PartialObjectMetadata,
} from "@rookery/kube";
import {
  createEventChannel,
  type EventChannel,
  enqueueRequestForObject,
  type Informer,
  type Source,
  type WithMetadata,
} from "@rookery/runtime";
import { labelOf } from "../identity/identity.ts";
import { allProviders, type ProviderParts } from "../parts.ts";
import { configMaps } from "../resources.ts";
import { rememberedLabel, stateKey, summaryAnnotations } from "../state/state-secrets.ts";

/** Maps events of components, Secrets, ConfigMaps and other providers to the providers to reconcile. */
export class EventMapping {
  readonly #parts: ProviderParts;
  readonly #channels = new Map<string, EventChannel<WithMetadata>>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    const { componentWatch, providers, secretMetadata, cache } = parts;
    componentWatch.onChange((label) => this.#enqueue((one) => labelOf(one) === label));
    componentWatch.onScaledDown(() => this.#enqueue(isWaiting));
    componentWatch.onInstancePodGone((label) => this.#enqueue((one) => labelOf(one) === label));
    for (const informer of providers) this.#mapProviders(informer);
    this.#mapSecrets(secretMetadata);
    cache.metadataInformerFor(configMaps).addEventHandler((event) => {
      const { metadata } = event.type === "update" ? event.objectNew : event.object;
      this.#enqueue((one) => isSelected(one, metadata));
    });
  }

  /** The source of the controller of one kind. */
  sourceFor(kind: string): Source {
    const name = `events that concern a ${kind}`;
    const channel = createEventChannel<WithMetadata>({ name, handler: enqueueRequestForObject() });
    this.#channels.set(kind, channel);
    return channel.source;
  }

  #mapProviders(informer: Informer<Provider>): void {
    informer.addEventHandler((event) => {
      const isNews =
        event.type !== "update" || summaryOf(event.objectOld) !== summaryOf(event.objectNew);
      const changed = event.type === "update" ? event.objectNew : event.object;
      if (isNews) this.#enqueue((one) => isWaiting(one) || isSameFamily(one, changed));
    });
  }

  #mapSecrets(informer: Informer<PartialObjectMetadata>): void {
    informer.addEventHandler((event) => {
      const { metadata } = event.type === "update" ? event.objectNew : event.object;
      const isState = metadata.labels?.[rememberedLabel] === "state";
      const before = event.type === "update" ? stateSummaryOf(event.objectOld.metadata) : undefined;
      const isNews = isState && (event.type === "delete" || before !== stateSummaryOf(metadata));
      if (isNews) this.#enqueue((one) => isWaiting(one) || isSameFamilyAsOwner(one, metadata));
      if (event.type === "delete") this.#forgetDriftChecks(metadata);
      this.#enqueue((one) => isOwner(one, metadata) || isNamed(one, metadata));
    });
  }

  /** A deleted certificate has to be issued again. */
  #forgetDriftChecks({ ownerReferences = [] }: ObjectMeta): void {
    for (const { uid } of ownerReferences) this.#parts.driftChecks.forget(uid);
  }

  #enqueue(concerns: (provider: Provider) => boolean): void {
    for (const provider of allProviders(this.#parts)) {
      if (!concerns(provider)) continue;
      const { metadata } = provider;
      this.#channels.get(provider.kind)?.send({ type: "generic", object: { metadata } });
    }
  }
}

/** Whether a provider may be able to continue when another one changes. */
function isWaiting({ metadata, status }: Provider): boolean {
  const isPassed = hasConditionStatus(status?.conditions, "PreflightCheckPassed", "True");
  return !isPassed || metadata.deletionTimestamp !== undefined;
}

function summaryOf({ metadata, status }: Provider): string {
  const ready = getCondition(status?.conditions, "Ready");
  const preflight = getCondition(status?.conditions, "PreflightCheckPassed");
  const { installedVersion, contract, observedGeneration } = status ?? {};
  const { generation, deletionTimestamp } = metadata;
  const seen = [generation, observedGeneration, deletionTimestamp, installedVersion, contract];
  return JSON.stringify([...seen, ready?.status, ready?.reason, preflight?.status]);
}

/** Whether both are instances of one provider, with namespaces of their own. */
function isSameFamily(one: Provider, other: Provider): boolean {
  const isInstance = one.spec?.watch !== undefined || other.spec?.watch !== undefined;
  return isInstance && one.kind === other.kind && one.metadata.name === other.metadata.name;
}

/** The records of all instances of a provider have the same name. */
function isSameFamilyAsOwner(one: Provider, { name }: ObjectMeta): boolean {
  return one.spec?.watch !== undefined && stateKey(one).name === name;
}

function stateSummaryOf({ annotations = {} }: ObjectMeta): string {
  return JSON.stringify(Object.values(summaryAnnotations).map((key) => annotations[key]));
}

function isOwner({ metadata }: Provider, { ownerReferences = [] }: ObjectMeta): boolean {
  return ownerReferences.some(({ uid }) => uid === metadata.uid);
}

function isNamed({ metadata, spec }: Provider, { namespace, name }: ObjectMeta): boolean {
  const isAsked = spec?.secretName === name || spec?.fetchConfig?.secretName === name;
  return isAsked && metadata.namespace === namespace;
}

function isSelected(
  { metadata, spec }: Provider,
  { namespace, name, labels }: ObjectMeta,
): boolean {
  if (metadata.namespace !== namespace) return false;
  if (name !== undefined && spec?.additionalManifests?.name === name) return true;
  const selector = spec?.fetchConfig?.selector;
  if (selector === undefined) return false;
  return labelSelectorAsSelector(selector).matches(labels ?? {});
}
