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
  type WithMetadata,
} from "@rookery/runtime";
import { labelOf } from "../identity/identity.ts";
import { allProviders, type ProviderParts } from "../parts.ts";
import { configMaps } from "../resources.ts";
import { rememberedLabel, stateKey, summaryAnnotations } from "../state/state-secrets.ts";

type Channel = EventChannel<WithMetadata>;

/** Tells controllers of what happens elsewhere than to their providers themselves. */
export class EventMapping {
  readonly #parts: ProviderParts;
  readonly #channels = new Map<string, Channel>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    const { componentWatch, providers, secretMetadata, cache } = parts;
    componentWatch.onChange((label) => this.#tell((one) => labelOf(one) === label));
    componentWatch.onScaledDown(() => this.#tell(isWaiting));
    componentWatch.onInstancePodGone((label) => this.#tell((one) => labelOf(one) === label));
    for (const informer of providers) this.#listenToProviders(informer);
    this.#listenToSecrets(secretMetadata);
    cache.metadataInformerFor(configMaps).addEventHandler((event) => {
      const { metadata } = event.type === "update" ? event.objectNew : event.object;
      this.#tell((one) => isSelected(one, metadata));
    });
  }

  /** For the controller of one kind. */
  channelFor(kind: string): Channel {
    const name = `what concerns a ${kind}`;
    const channel = createEventChannel<WithMetadata>({ name, handler: enqueueRequestForObject() });
    this.#channels.set(kind, channel);
    return channel;
  }

  /** Many wait for the core, and some for one another; the others need not hear of it. */
  #listenToProviders(informer: Informer<Provider>): void {
    informer.addEventHandler((event) => {
      const isNews =
        event.type !== "update" || toOthers(event.objectOld) !== toOthers(event.objectNew);
      const changed = event.type === "update" ? event.objectNew : event.object;
      if (isNews) this.#tell((one) => isWaiting(one) || isKin(one, changed));
    });
  }

  #listenToSecrets(informer: Informer<PartialObjectMetadata>): void {
    informer.addEventHandler((event) => {
      const { metadata } = event.type === "update" ? event.objectNew : event.object;
      const isState = metadata.labels?.[rememberedLabel] === "state";
      const before = event.type === "update" ? summaryOf(event.objectOld.metadata) : undefined;
      const isNews = isState && (event.type === "delete" || before !== summaryOf(metadata));
      if (isNews) this.#tell((one) => isWaiting(one) || isKinOfOwner(one, metadata));
      if (event.type === "delete") this.#forgetCheckups(metadata);
      this.#tell((one) => isOwner(one, metadata) || isNamed(one, metadata));
    });
  }

  /** A certificate that is deleted has to be issued anew. */
  #forgetCheckups({ ownerReferences = [] }: ObjectMeta): void {
    for (const { uid } of ownerReferences) this.#parts.driftChecks.forget(uid);
  }

  #tell(concerns: (provider: Provider) => boolean): void {
    for (const provider of allProviders(this.#parts)) {
      if (!concerns(provider)) continue;
      const { metadata } = provider;
      this.#channels.get(provider.kind)?.send({ type: "generic", object: { metadata } });
    }
  }
}

/**
 * Whether a provider may go on when another one changes. One that does not say so yet, because it was
 * just looked at, is looked at again when it says so.
 */
function isWaiting({ metadata, status }: Provider): boolean {
  const isPassed = hasConditionStatus(status?.conditions, "PreflightCheckPassed", "True");
  return !isPassed || metadata.deletionTimestamp !== undefined;
}

/** What others go by: whether it is ready, paused, going, and with what. */
function toOthers({ metadata, status }: Provider): string {
  const ready = getCondition(status?.conditions, "Ready");
  const preflight = getCondition(status?.conditions, "PreflightCheckPassed");
  const { installedVersion, contract, observedGeneration } = status ?? {};
  const { generation, deletionTimestamp } = metadata;
  const seen = [generation, observedGeneration, deletionTimestamp, installedVersion, contract];
  return JSON.stringify([...seen, ready?.status, ready?.reason, preflight?.status]);
}

/** Instances of one provider divide namespaces among them. */
function isKin(one: Provider, other: Provider): boolean {
  const isDivided = one.spec?.watch !== undefined || other.spec?.watch !== undefined;
  return isDivided && one.kind === other.kind && one.metadata.name === other.metadata.name;
}

/** A record is told by its name, which those of all instances of a provider have. */
function isKinOfOwner(one: Provider, { name }: ObjectMeta): boolean {
  return one.spec?.watch !== undefined && stateKey(one).name === name;
}

function summaryOf({ annotations = {} }: ObjectMeta): string {
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
