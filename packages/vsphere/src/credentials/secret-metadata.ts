import type { Client } from "@rookery/client";
import type { KubeObject, ObjectMeta, PartialObjectMetadata } from "@rookery/kube";
import {
  byOwnerUid,
  type Cache,
  createInformer,
  type Informer,
  isInScope,
  type Logger,
  type Manager,
  metadataOnlyClient,
} from "@rookery/runtime";
import { inUseFinalizer, inUseFinalizers, secretFinalizers } from "../in-use.ts";
import { secrets } from "../resources.ts";

/** The cached metadata of Secrets. Their content is read when it is needed, and never cached. */
export interface SecretMetadata {
  /** In the namespaces that this instance watches. */
  readonly watched: Informer<PartialObjectMetadata>;
  /** In the namespaces of credentials at least, whether this instance watches these or not. */
  readonly credentials: Informer<PartialObjectMetadata>;
}

/** The namespaces of the Secrets of identities. */
export interface CredentialsPlaces {
  readonly credentialsNamespace: string;
  /** The namespace that all instances shared before; the own one comes first. */
  readonly formerCredentialsNamespace?: string | undefined;
}

export interface SecretMetadataOptions extends CredentialsPlaces {
  readonly client: Client;
  readonly cache: Cache;
  readonly manager: Pick<Manager, "add">;
  readonly logger: Logger;
}

/** Whether Secrets of identities are in a namespace. */
export function isCredentialsNamespace(
  namespace: string | undefined,
  places: CredentialsPlaces,
): boolean {
  return placesOf(places).some((one) => one === namespace);
}

function placesOf(places: CredentialsPlaces): readonly string[] {
  const { credentialsNamespace: own, formerCredentialsNamespace: former } = places;
  return former === undefined || former === own ? [own] : [own, former];
}

/** Watches Secrets while the manager runs. */
export function watchSecretMetadata(options: SecretMetadataOptions): SecretMetadata {
  const watched = options.cache.metadataInformerFor(secrets);
  const isWatched = placesOf(options).every((place) => isInScope(options.cache.scope, place));
  const credentials = isWatched ? watched : watchCredentials(options);
  for (const informer of new Set([watched, credentials])) {
    informer.addIndex(ownedBy, byOwnerUid);
    informer.addIndex(user, ({ metadata }) => inUseFinalizers(metadata));
  }
  credentials.addIndex(kept, ({ metadata }) => (isKept(metadata, options) ? [kept] : []));
  return { watched, credentials };
}

/** The Secrets that an object owns. */
export function ownedIn(
  informer: Informer<PartialObjectMetadata>,
  { metadata }: KubeObject,
): readonly PartialObjectMetadata[] {
  return informer.list({ index: { name: ownedBy, value: metadata.uid ?? "" } });
}

/** The Secrets that a cluster keeps by its finalizer. */
export function usedBy(
  informer: Informer<PartialObjectMetadata>,
  cluster: ObjectMeta,
): readonly PartialObjectMetadata[] {
  const index = { name: user, value: inUseFinalizer(cluster) };
  return informer.list({ index, namespace: cluster.namespace ?? "" });
}

/** The Secrets of identities that an instance keeps for its clusters. */
export function keptIn(
  informer: Informer<PartialObjectMetadata>,
): readonly PartialObjectMetadata[] {
  return informer.list({ index: { name: kept, value: kept } });
}

/** Whether an instance keeps a Secret of an identity for its clusters. */
export function isKept(metadata: ObjectMeta, places: CredentialsPlaces): boolean {
  const isPlace = isCredentialsNamespace(metadata.namespace, places);
  return isPlace && secretFinalizers(metadata, places.credentialsNamespace).length > 0;
}

const ownedBy = "owner";
const user = "user";
const kept = "kept";

/** The cache watches no namespace out of its scope, so this one is beside it. */
function watchCredentials(options: SecretMetadataOptions): Informer<PartialObjectMetadata> {
  const { client, manager, logger } = options;
  const informer = createInformer<PartialObjectMetadata>({
    resource: secrets,
    listWatch: metadataOnlyClient(client.handler, secrets),
    scope: { type: "namespaces", namespaces: placesOf(options) },
    transform: ({ metadata }) => ({ apiVersion: "v1", kind: "Secret", metadata }),
    logger,
  });
  manager.add({
    name: "cache of credentials",
    group: "caches",
    start: (signal) => informer.run(signal),
    waitForReady: (signal) => informer.waitForSync(signal),
  });
  return informer;
}
